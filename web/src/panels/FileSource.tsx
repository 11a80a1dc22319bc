// What is open, and what it is worth.
import { bytes, count } from '../format';
import { askOpenColumns } from '../state/columns';
import { forgetRegistries, opened, registries, sample } from '../state/files';
import { KeptFiles, KeptNote } from './KeptFiles';

/** The name and description of the open file or sample. */
export function FileSource() {
  const now = opened.value;
  const askAgain = sample.value ? null : askOpenColumns();
  return (
    <>
      {now && (
        <h3 class="source-name" title={now.source}>
          {sample.value?.title ?? now.source}
        </h3>
      )}
      {sample.value && (
        <details class="sample-text" aria-label="About the sample">
          <summary>{sample.value.line}</summary>
          {sample.value.text}
        </details>
      )}
      {now && (
        <p class="muted">
          {count(now.ops)} ops · {bytes(now.size)}
          {!sample.value && ` · ${now.format}`}
          {askAgain && (
            <>
              {' · '}
              <button type="button" class="link" onClick={askAgain}>
                columns…
              </button>
            </>
          )}
        </p>
      )}
      <KeptNote />
      <p class="muted eats">
        Reads <a href="docs/formats.html">JSON, CSV</a>, <a href="docs/pytorch.html">PyTorch</a>,{' '}
        <a href="docs/nsight.html">Nsight</a>, <a href="docs/formats.html">more</a>
      </p>
      {registries.value.length > 0 && (
        <p class="muted">
          with {registries.value.join(', ')}{' '}
          <button type="button" class="link" onClick={() => void forgetRegistries()}>
            remove
          </button>
        </p>
      )}
      <KeptFiles />
    </>
  );
}
