// Where the operations come from: the tabs, and the chosen source's own panel.
import { openSourceFile, source } from '../state/files';
import { live } from '../state/live';
import { CompareWith } from './CompareWith';
import { RemarksButton } from './Remarks';
import { FileSource } from './FileSource';
import { SOURCES } from './sources';

/** What is analysed: a file, an operator or a language model. */
export function SourcePanel() {
  const from = source.value;
  const shown = SOURCES.find(({ id }) => from && 'built' in from && from.built === id);
  const Panel = shown?.Panel ?? FileSource;
  return (
    <section aria-label="Source">
      <h2 id="source-title">
        Source {live.value && <span class="badge live">live</span>}
        <span class="fill" />
        {SOURCES.length > 0 && (
          <div class="choice" role="group" aria-label="Kind of source">
            <button type="button" aria-pressed={!shown} onClick={() => shown && void openSourceFile()}>
              File
            </button>
            {SOURCES.map(({ id, label, open }) => (
              <button key={id} type="button" aria-pressed={shown?.id === id} onClick={open}>
                {label}
              </button>
            ))}
          </div>
        )}
      </h2>
      <Panel />
      <CompareWith />
      <RemarksButton />
    </section>
  );
}
