// The chip of the open source. Its menu has facts about the source and opens other sources.
import { bytes, plural } from '../format';
import { askOpenColumns } from './asked_columns';
import { endComparison } from '../compare/comparison';
import { awaited } from './awaited';
import { forgetRegistries, lastFileSource, openSample, reopenLastFile } from './files';
import { opened, sample, samples, source } from './opened';
import { registries } from './source_files';
import { live } from './live';
import { titleOf } from './source_title';
import { STARTS } from './starts';
import { atAGlance } from '../network/network';
import { startTour } from '../help/tour_step';
import { Menu } from '../widgets/Menu';
import { KeptFiles, KeptNote, useKeptFiles } from './KeptFiles';

/** The chip of the top bar. */
export function SourceChip() {
  useKeptFiles();
  const from = source.value;
  const built = from !== null && 'built' in from;
  const now = shownSource();
  const dimensions = now?.network ? atAGlance(now.network) : '';
  const name = now && (sample.value?.title ?? (built ? titleOf(from) : now.source));
  return (
    <Menu
      class="source-chip"
      label={
        <>
          <span class="source-name" title={name ?? undefined}>
            {name || 'Open…'}
          </span>
          {dimensions && (
            <span class="muted source-dimensions" title="Open dimensions and fusion: set them under Change">
              {dimensions}
            </span>
          )}
          {live.value && <span class="badge live">live</span>}
        </>
      }
    >
      {close => {
        const last = lastFileSource();
        const item = (label: string, text: string | undefined, act: () => unknown, current = false) => (
          <button key={label} type="button" class="item" aria-current={current} onClick={() => (close(), void act())}>
            <strong>{label}</strong>
            {text && <span class="muted">{text}</span>}
          </button>
        );
        return (
          <section aria-label="Source">
            <Facts />
            <h3>Open</h3>
            {built && last && item(`Back to ${titleOf(last)}`, undefined, reopenLastFile)}
            {STARTS.map(([label, text, open]) => item(label, text, open))}
            <KeptFiles />
            <h3>Samples</h3>
            {item('Tour', 'Two minutes through the page, on measured data.', startTour)}
            {samples.value.map(({ id, title, line }) =>
              item(title, line, () => openSample(id), id === sample.value?.id),
            )}
          </section>
        );
      }}
    </Menu>
  );
}

/** What the page shows of the open source: nothing while a link waits for its files. */
const shownSource = () => (awaited.value ? null : opened.value);

/** Facts about the open source. */
function Facts() {
  const now = shownSource();
  if (!now) return null;
  const askAgain = sample.value ? null : askOpenColumns();
  return (
    <div class="facts-of-source">
      {sample.value && (
        <details class="sample-text" aria-label="About the sample">
          <summary>{sample.value.line.replace(/ Synthetic\.$/, '')}</summary>
          {sample.value.text}
        </details>
      )}
      <p class="muted">
        {[plural(now.ops, 'op'), now.size > 0 && bytes(now.size), !sample.value && (now.network?.format ?? now.format)]
          .filter(Boolean)
          .join(' · ')}
        {askAgain && (
          <>
            {' · '}
            <button type="button" class="link" onClick={askAgain}>
              columns…
            </button>
          </>
        )}
      </p>
      <KeptNote />
      {registries.value.length > 0 && (
        <p class="muted">
          with {registries.value.join(', ')}{' '}
          <button type="button" class="link" onClick={() => void forgetRegistries()}>
            remove
          </button>
        </p>
      )}
      {now.before && (
        <p class="muted">
          Compared with {now.before}.{' '}
          <button type="button" class="link" onClick={() => void endComparison()}>
            End
          </button>
        </p>
      )}
    </div>
  );
}
