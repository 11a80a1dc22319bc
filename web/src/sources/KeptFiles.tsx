// The user's own files that this browser keeps: which, how large, and how to remove them.
import { useEffect } from 'preact/hooks';
import { bytes } from '../format';
import { openKept } from './files';
import { source } from './opened';
import { openedFiles, refOf } from './source_files';
import { forgetAllFiles, forgetFile, keptFiles, listKept, notKept, type KeptFile } from './own_files';

/** Whether the open file is kept. */
export function KeptNote() {
  const from = source.value;
  if (!from || !('file' in from)) return null;
  const files = openedFiles();
  const kept = files.flatMap(file => keptFiles.value.find(({ plain }) => plain === refOf(file).sha256) ?? []);
  const refused = files.map(({ blob }) => notKept.value.get(blob)).find(why => why !== undefined);
  if (refused) return <p class="muted">Not kept: {refused}. After a reload the page asks for the file.</p>;
  if ('text' in from || files.length === 0 || kept.length < files.length)
    return <p class="muted">Stays in this browser.</p>;
  const forget = () => {
    for (const { sha256 } of kept) void forgetFile(sha256);
  };
  return (
    <p class="muted">
      Kept in this browser.{' '}
      <button type="button" class="link" onClick={forget}>
        Forget
      </button>
    </p>
  );
}

/** Keeps the list of them up to date. */
export function useKeptFiles() {
  useEffect(() => {
    const list = () => void listKept();
    list();
    addEventListener('focus', list); // another tab may have changed it
    return () => removeEventListener('focus', list);
  }, []);
}

/** All of them, folded. */
export function KeptFiles() {
  const files = keptFiles.value;
  if (files.length === 0) return null;
  return (
    <details class="kept-files">
      <summary>
        {files.length === 1 ? '1 file' : `${files.length} files`} kept in this browser,{' '}
        {bytes(files.reduce((sum, { size }) => sum + size, 0))}
      </summary>
      <ul aria-label="Files kept in this browser">
        {files.map(file => (
          <Kept key={file.sha256} {...file} />
        ))}
      </ul>
      {files.length > 1 && (
        <button type="button" class="link" onClick={() => void forgetAllFiles()}>
          Forget all
        </button>
      )}
    </details>
  );
}

const Kept = ({ sha256, name, size, used }: KeptFile) => (
  <li>
    <button
      type="button"
      class="link name"
      title={`Open ${name}, last opened ${new Date(used).toLocaleString()}`}
      onClick={() => void openKept({ file: name, sha256 })}
    >
      {name}
    </button>
    <span class="muted">{bytes(size)}</span>
    <button type="button" class="link" aria-label={`Forget ${name}`} onClick={() => void forgetFile(sha256)}>
      Forget
    </button>
  </li>
);
