// Asks for the private files of a link. Until it has them the page shows no figures.
import { bytes } from '../format';
import { awaited } from './awaited';
import { openSample } from './files';
import { faults } from './opened';
import { chooseFiles } from './input';

/** Shown in place of the headline and the view. */
export function MissingFiles() {
  const { missing, damaged } = awaited.value!;
  const several = missing.length > 1;
  return (
    <section class="missing-files" aria-label="Missing files">
      <h1>{several ? 'The files are not in the link' : 'The file is not in the link'}</h1>
      <ul>
        {missing.map(({ file, size, sha256 }) => (
          <li key={sha256 ?? file} title={sha256 && `SHA-256 ${sha256}`}>
            <strong>{file}</strong> {size !== undefined && <span class="muted">{bytes(size)}</span>}
          </li>
        ))}
      </ul>
      <p>
        {damaged && 'The copy in this browser was damaged and has been removed. '}This link holds machine, settings and
        view, but not {several ? 'the files' : 'the file'}. Open {several ? 'the files' : 'the file'} or drop{' '}
        {several ? 'them' : 'it'} here to see the view of the link.
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => void chooseFiles()}>
          {several ? 'Open the files…' : 'Open the file…'}
        </button>
        <button
          type="button"
          onClick={() => {
            faults.value = [];
            void openSample('');
          }}
        >
          Open a sample instead
        </button>
      </div>
    </section>
  );
}
