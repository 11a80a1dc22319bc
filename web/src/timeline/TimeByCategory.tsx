// Self time by category of operation, each bar split by limit.
import { count, percent, seconds } from '../format';
import { useAnswer } from '../core/ask';
import { panelFrame } from '../core/engine';
import { changeTable, viewState } from '../core/view';
import { BoundBar, BoundLegend, type TimeByBound } from '../plot/bounds';
import { NoAnswer } from '../widgets/AnswerFault';

interface Categories {
  categories: { name: string; ops: number; time_s: number; share: number | null; time_by_bound: TimeByBound }[];
}

/** A row per category; a click shows it alone. */
export function TimeByCategory() {
  const revision = panelFrame.value?.revision;
  const reply = useAnswer<Categories>('categories', revision ? { revision } : null);
  if (!reply || 'error' in reply) return <NoAnswer reply={reply} class="time-view" />;
  const { categories } = reply.json;
  const longest = Math.max(...categories.map(({ time_s }) => time_s));
  const only = viewState.value.categories;
  const choose = (name: string) =>
    changeTable({ categories: only?.length === 1 && only[0] === name ? undefined : [name] });
  if (categories.length === 0)
    return (
      <div class="time-view">
        <p class="hint muted">No operations match.</p>
      </div>
    );
  return (
    <div class="time-view">
      <h3>Self time by category</h3>
      <BoundLegend limits={new Set(categories.flatMap(({ time_by_bound }) => Object.keys(time_by_bound)))} />
      <table class="time-table" aria-label="Self time by category">
        <thead>
          <tr>
            <th scope="col">Category</th>
            <th scope="col">Time by limit</th>
            <th scope="col" class="number">
              Self time
            </th>
            <th scope="col" class="number">
              Share
            </th>
            <th scope="col" class="number">
              Ops
            </th>
          </tr>
        </thead>
        <tbody>
          {categories.map(({ name, ops, time_s, share, time_by_bound }) => (
            <tr key={name}>
              <th scope="row">
                <button type="button" class="link" title="Only this category" onClick={() => choose(name)}>
                  {name}
                </button>
              </th>
              <td>
                <BoundBar times={time_by_bound} whole={longest} />
              </td>
              <td class="number">{seconds(time_s)}</td>
              <td class="number">{percent(share)}</td>
              <td class="number">{count(ops)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
