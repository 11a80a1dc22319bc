// Which operations are shown.
import { useState } from 'preact/hooks';
import type { ColumnInfo } from '../../../wasm/session';
import { compact } from '../format';
import { frame } from '../state/engine';
import { opened } from '../state/files';
import { toggleStatus, toggleType, toggleWord, typeCounts } from '../state/filters';
import { list, selected, viewState } from '../state/view';
import { Marker, statusColour, statusLabel } from '../widgets/Marker';

export function FilterPanel() {
  const { statuses, types, search, where, grouped } = viewState.value;
  const filtered = statuses || types || search || where;
  return (
    <section aria-labelledby="filter-title">
      <h2 id="filter-title">
        Filters <span class="fill" />
        {filtered && <button type="button" class="link" onClick={() => list({ statuses: undefined, types: undefined, search: undefined, where: undefined })}>Show all</button>}
      </h2>
      <input type="search" id="search" aria-label="Search names and types" placeholder="Search names and types  ( / )" value={search ?? ''}
        onInput={event => list({ search: event.currentTarget.value })} />
      <StatusList />
      <TypeList />
      <WordLists />
      <label class="check">
        <input type="checkbox" checked={grouped ?? false} onChange={event => group(event.currentTarget.checked)} /> Group identical operations
      </label>
    </section>
  );
}

/// Indices mean groups from now on, or rows again: the selection cannot stay.
function group(grouped: boolean) {
  selected.value = null;
  list({ grouped });
}

function StatusList() {
  const json = frame.value?.json;
  if (!json) return null;
  const only = viewState.value.statuses;
  return (
    <ul class="chips" aria-label="Statuses">
      {json.statuses.filter(status => json.all.by_status[status]).map(status => (
        <li key={status}>
          <button type="button" aria-pressed={!only || only.includes(status)} style={statusColour(status)} title="Shift-click: only this" onClick={event => toggleStatus(status, event.shiftKey)}>
            <span class={`dot ${status === 'predicted' ? 'hollow' : ''}`} />{statusLabel(status)}<span class="muted">{compact(json.all.by_status[status])}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const FEW = 8;

function TypeList() {
  const [all, setAll] = useState(false);
  const only = viewState.value.types;
  const types = typeCounts();
  if (types.length < 2) return null;
  return (
    <ul class="chips" aria-label="Types">
      {types.slice(0, all ? undefined : FEW).map(({ type, symbol, ops }) => (
        <li key={type}>
          <button type="button" aria-pressed={!only || only.includes(type)} title="Shift-click: only this" onClick={event => toggleType(type, event.shiftKey)}>
            <Marker symbol={symbol} /><span class="ellipsis">{type}</span><span class="muted">{compact(ops)}</span>
          </button>
        </li>
      ))}
      {types.length > FEW && <li><button type="button" class="link" onClick={() => setAll(!all)}>{all ? 'Fewer' : `${types.length - FEW} more`}</button></li>}
    </ul>
  );
}

const FEW_COLUMNS = 4;

/// The input's own columns of few values: batch, data type, model.
function WordLists() {
  const [all, setAll] = useState(false);
  const columns = opened.value?.columns ?? [];
  return (
    <>
      {columns.slice(0, all ? undefined : FEW_COLUMNS).map(column => <WordList key={column.name} column={column} />)}
      {columns.length > FEW_COLUMNS && <button type="button" class="link" onClick={() => setAll(!all)}>{all ? 'Fewer columns' : `${columns.length - FEW_COLUMNS} more columns`}</button>}
    </>
  );
}

function WordList({ column: { name, words, ops } }: { column: ColumnInfo }) {
  const [all, setAll] = useState(false);
  const only = viewState.value.where?.[name];
  return (
    <>
      <h3 class="muted column-name">{name}</h3>
      <ul class="chips" aria-label={name}>
        {words.slice(0, all ? undefined : FEW).map((word, i) => (
          <li key={word}>
            <button type="button" aria-pressed={!only || only.includes(word)} title="Shift-click: only this" onClick={event => toggleWord(name, words, word, event.shiftKey)}>
              <span class="ellipsis">{word}</span><span class="muted">{compact(ops[i])}</span>
            </button>
          </li>
        ))}
        {words.length > FEW && <li><button type="button" class="link" onClick={() => setAll(!all)}>{all ? 'Fewer' : `${words.length - FEW} more`}</button></li>}
      </ul>
    </>
  );
}
