// Import warnings: how many of each kind, and where. A click selects the operation.
import type { DiagnosticItem } from '../../../wasm/session';
import { count, placeInFile } from '../format';
import { SETTINGS } from '../protocol';
import { asOptions, formats } from '../core/catalogue';
import { askOpenColumns } from './asked_columns';
import { opened } from './opened';
import { inPageWords, isAboutColumns } from './page_words';
import { withCode } from '../widgets/Sentence';
import { remarks, remarksCounted, remarksShown, type RemarkGroup } from './remark_groups';
import { namesField } from '../core/ask';
import { change, settings, type Settings } from '../core/settings';
import { selected, viewState } from '../core/view';
import { Dialog } from '../widgets/Dialog';
import { Select } from '../widgets/Select';

/** The number of import warnings, in the colour of the most severe one; a click lists them. */
export function RemarksButton() {
  if (!opened.value?.diagnostics || remarks.value.seen === 0) return null;
  const severest = remarks.value.groups[0]!.severity;
  const { count: all, atLeast, kind } = remarksCounted.value;
  return (
    <>
      <button type="button" class="link remarks-button" onClick={() => (remarksShown.value = true)}>
        <span class={`severity ${severest}`}>{count(all) + (atLeast ? '+' : '')}</span>{' '}
        <span class="words">
          import {kind}
          {all === 1 && !atLeast ? '' : 's'}
        </span>
      </button>
      {remarksShown.value && <RemarksDialog onClose={() => (remarksShown.value = false)} />}
    </>
  );
}

function RemarksDialog({ onClose }: { onClose: () => void }) {
  const { groups, total, seen } = remarks.value;
  return (
    <Dialog title={remarksCounted.value.title} onClose={onClose}>
      {seen > 1 && <p>{remarksCounted.value.sum}</p>}
      <ul class="remarks">
        {groups.map(group => (
          <li key={`${group.severity} ${group.message}`}>
            <span class={`severity ${group.severity}`}>{group.severity}</span>
            {isAboutColumns(group.message) && <MapColumns onClose={onClose} />}
            {group.items[0]!.path === ('assumed_format' satisfies keyof Settings) ? (
              <Assumed message={group.message} />
            ) : group.items.length === 1 ? (
              <Remark item={group.items[0]!} onClose={onClose} />
            ) : (
              <Many group={group} onClose={onClose} />
            )}
          </li>
        ))}
      </ul>
      {seen < total && (
        <p class="muted">
          The first {count(seen)} of {count(total)}.
        </p>
      )}
    </Dialog>
  );
}

/** Opens the dialog that says what the columns of the open table mean. */
function MapColumns({ onClose }: { onClose: () => void }) {
  const askAgain = askOpenColumns();
  return (
    askAgain && (
      <button type="button" onClick={() => (onClose(), askAgain())}>
        Map columns…
      </button>
    )
  );
}

/** The format assumed where the file names none, and the choice of another. */
function Assumed({ message }: { message: string }) {
  const { assumed_format: chosen = '' } = settings.value;
  return (
    <span class="assumption">
      {withCode(inPageWords(message))}.{' '}
      <label>
        Choose another:{' '}
        <Select
          label={SETTINGS.assumed_format.label}
          title={SETTINGS.assumed_format.sentence}
          value={chosen}
          options={[['', SETTINGS.assumed_format.unset], ...asOptions(formats.value)]}
          onChange={id => change({ assumed_format: id || undefined })}
        />
      </label>
    </span>
  );
}

const MOST = 200; // places listed per group

/** A group of similar warnings: the message once, its places on request. */
function Many({ group: { items, message, identical }, onClose }: { group: RemarkGroup; onClose: () => void }) {
  const records = items.every(({ op }) => op !== null) ? 'rows' : 'places';
  return (
    <details>
      <summary>
        <strong>
          {count(items.length)} {records}
        </strong>
        : {withCode(inPageWords(message))}
        {!identical && ', and similar'} <span class="link">show</span>
      </summary>
      <ul>
        {items.slice(0, MOST).map((item, i) => (
          <li key={i}>
            <Remark item={item} short={identical} onClose={onClose} />
          </li>
        ))}
        {items.length > MOST && <li class="muted">and {count(items.length - MOST)} more</li>}
      </ul>
    </details>
  );
}

/** One remark and its place; `short`: the place alone. */
function Remark({ item, short = false, onClose }: { item: DiagnosticItem; short?: boolean; onClose: () => void }) {
  const said = namesField(item.message, item.path);
  const place = placeOf(short || !said ? item : { ...item, path: '' });
  const text = short ? place : `${place && `${place}: `}${inPageWords(item.message)}`;
  const jump = () => {
    if (!viewState.value.grouped) selected.value = item.op;
    onClose();
  };
  return item.op === null ? (
    <span>{text}</span>
  ) : (
    <button type="button" class="link" onClick={jump}>
      {text}
    </button>
  );
}

function placeOf({ op, line, column, path }: DiagnosticItem) {
  return [op !== null ? `#${op}` : '', placeInFile({ line, column }), path].filter(Boolean).join(', ');
}
