// Search, filters, and the number of operations shown.
import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import type { StatusName } from '../../../wasm/session';
import { STATUSES } from '../protocol';
import { count } from '../format';
import { panelFrame } from '../core/engine';
import { narrow } from '../core/layout';
import { hasAlternatives, opened } from '../sources/opened';
import {
  boundCounts,
  categoryCounts,
  toggleBound,
  toggleCategory,
  toggleStatus,
  toggleStep,
  toggleType,
  toggleWord,
  typeCounts,
} from './filters';
import { clearFilters, filterCount, changeTable, listOtherRows, viewState } from '../core/view';
import { Chips, FEW, type Chip } from '../widgets/Chips';
import { Choice } from '../widgets/Choice';
import { Icon } from '../widgets/Icon';
import { Menu } from '../widgets/Menu';
import { Marker, statusLabel } from '../widgets/Marker';

/** The number of operations listed, which is the label of the fold button, and a button to show all. */
export function ListCount({ foldButtonId }: { foldButtonId?: string | undefined }) {
  const json = panelFrame.value?.json;
  if (!json) return <span class="count" />;
  const [shown, all] = [json.shown.ops, json.all.ops];
  const formats = hasAlternatives() && all > 1;
  const one = formats ? 'format' : viewState.value.level === 'program' ? 'row' : narrow.value ? 'op' : 'operation';
  return (
    <>
      <strong class="count">
        <label for={foldButtonId}>
          {shown === all ? count(all) : `${count(shown)} of ${count(all)}`} {one}
          {all === 1 ? '' : 's'}
        </label>
      </strong>
      {filterCount() > 0 && (
        <button type="button" class="link" onClick={clearFilters}>
          Show all
        </button>
      )}
    </>
  );
}

/** Finds operations by name or type. */
export const Search = () => (
  <input
    type="search"
    id="search"
    aria-label="Search names and types"
    placeholder={narrow.value ? 'Search' : 'Search  ( / )'}
    value={viewState.value.search ?? ''}
    onInput={event => changeTable({ search: event.currentTarget.value })}
  />
);

/** The filters that apply to the source. */
export function FilterMenu() {
  const { statuses, types, search, grouped, categories, steps, bounds, limits } = viewState.value;
  const filters = filterCount() - (search ? 1 : 0); // the search field is beside the menu
  return (
    <Menu class="filter-menu" label={filters > 0 ? `Filter (${filters})` : 'Filter'} align="right">
      {() => (
        <section aria-label="Filters">
          <ProfileChoices />
          {limits && (
            <button
              type="button"
              aria-label="Show all, whatever limits them"
              onClick={() => changeTable({ limits: undefined })}
            >
              Limited by {limits.join(', ')} <Icon name="close" />
            </button>
          )}
          <Chips label="Statuses" items={statusItems()} only={statuses} toggle={toggleStatus} few={Infinity} />
          <Choices label="Bound by" heading="Bound by" items={boundItems()} only={bounds} toggle={toggleBound} />
          <Choices
            label="Categories"
            heading="Category"
            items={categoryItems()}
            only={categories}
            toggle={toggleCategory}
          />
          <Choices label="Types" heading="Type" items={typeItems()} only={types} toggle={toggleType} />
          <Choices label="Steps" heading="Step" items={stepItems()} only={steps} toggle={toggleStep} />
          <WordLists />
          <label class="check">
            <input
              type="checkbox"
              checked={grouped ?? false}
              onChange={event => listOtherRows({ grouped: event.currentTarget.checked })}
            />{' '}
            Group identical operations
          </label>
        </section>
      )}
    </Menu>
  );
}

/** Of a profile: operations or program and steps, with or without infeed and outfeed. */
function ProfileChoices() {
  const { program, infeed } = opened.value ?? {};
  const { level, noInfeed } = viewState.value;
  if (!program && !infeed) return null;
  return (
    <>
      {program && (
        <Choice
          label="Level"
          value={level ?? 'operations'}
          options={[
            ['operations', 'Operations'],
            ['program', 'Program and steps'],
          ]}
          onChange={next => listOtherRows({ level: next === 'program' ? 'program' : undefined, steps: undefined })}
        />
      )}
      {infeed && (
        <label class="check">
          <input
            type="checkbox"
            checked={!noInfeed}
            onChange={event => listOtherRows({ noInfeed: !event.currentTarget.checked })}
          />{' '}
          Include infeed and outfeed
        </label>
      )}
    </>
  );
}

/** Filter by limit, for profiles and machines with several memories or links; else the statuses say it. */
function boundItems() {
  const counts = boundCounts();
  return opened.value?.program || viewState.value.bounds || counts.filter(({ name }) => name !== 'none').length > 2
    ? counts
    : [];
}

/** Categories, if the list of types is long. */
const categoryItems = () => (viewState.value.categories || typeCounts().length > FEW ? categoryCounts() : []);

/** Steps; not for the operations of a profile, which are totals over all steps. */
function stepItems() {
  const { steps = [], program } = opened.value ?? {};
  return program && viewState.value.level !== 'program' ? [] : steps.filter(Boolean).map(name => ({ name }));
}

/** The statuses that occur. */
function statusItems(): Chip<StatusName>[] {
  const counts = panelFrame.value?.json.all.by_status;
  return STATUSES.filter(status => counts?.[status]).map(status => ({
    name: status,
    label: statusLabel(status),
    ops: counts![status],
  }));
}

const typeItems = (): Chip[] =>
  typeCounts().map(({ type, symbol, ops }) => ({ name: type, ops, mark: <Marker symbol={symbol} /> }));

/** A list only where there is a choice. */
function Choices(props: ComponentProps<typeof Chips<string>>) {
  return props.items.length < 2 ? null : <Chips {...props} />;
}

const FEW_COLUMNS = 4;

/** The input's own columns of few values: batch, data type, model. */
function WordLists() {
  const [all, setAll] = useState(false);
  const columns = opened.value?.columns ?? [];
  return (
    <>
      {columns.slice(0, all ? undefined : FEW_COLUMNS).map(({ name, words, ops }) => (
        <Chips
          key={name}
          label={name}
          heading={name}
          items={words.map((word, i) => ({ name: word, ops: ops[i], label: word || '(none)' }))}
          only={viewState.value.where?.[name]}
          toggle={(word, alone) => toggleWord(name, words, word, alone)}
        />
      ))}
      {columns.length > FEW_COLUMNS && (
        <button type="button" class="link" onClick={() => setAll(!all)}>
          {all ? 'Fewer columns' : `${columns.length - FEW_COLUMNS} more columns`}
        </button>
      )}
    </>
  );
}
