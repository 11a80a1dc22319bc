// The table as a drawer under the chart: its bar with count, search, filter and columns, and the rows if unfolded.
import { FilterMenu, ListCount, Search } from '../table/FilterPanel';
import { drawerOpen, narrow } from '../core/layout';
import { ColumnsMenu, OpTable } from '../table/OpTable';
import { IconButton } from '../widgets/IconButton';
import { Toast } from './Toast';

/** On a narrow page the table leaves room for the chart only: scrolls what is above it away. */
const showChart = () =>
  document.querySelector('main .view :is(canvas, .chart-box, table)')?.scrollIntoView({ block: 'start' });

const FOLD_BUTTON_ID = 'fold-table';

/** `alone`: no chart above it. `folded`: unless it was unfolded. */
export function Drawer({ alone, folded }: { alone: boolean; folded: boolean }) {
  const open = alone || (drawerOpen.value ?? !(narrow.value || folded));
  return (
    <section class={`drawer ${open ? 'open' : ''}`} aria-label="Table">
      <header>
        {!alone && (
          <IconButton
            icon="down"
            label={open ? 'Fold the table' : 'Unfold the table'}
            class="ghost small"
            id={FOLD_BUTTON_ID}
            aria-expanded={open}
            onClick={() => {
              drawerOpen.value = !open;
              if (narrow.value && !open) requestAnimationFrame(showChart);
            }}
          />
        )}
        <ListCount foldButtonId={alone ? undefined : FOLD_BUTTON_ID} />
        <Toast />
        <Search />
        <FilterMenu />
        {open && <ColumnsMenu />}
      </header>
      {open && <OpTable />}
    </section>
  );
}
