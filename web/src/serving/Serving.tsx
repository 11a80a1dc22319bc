// The serving frontier of the open model: how many users, how fast, on how many machines.
import { viewState } from '../core/view';
import { complain } from '../sources/opened';
import { download } from '../core/download';
import { modelRequest } from '../model/model';
import { AnswerFault } from '../widgets/AnswerFault';
import { CopyButton } from '../widgets/CopyButton';
import { FrontierChart } from './FrontierChart';
import { frontierCommand, frontierDocument, useFrontier, type FrontierJson } from './frontier';
import { METRICS } from './metrics';
import { Launch } from './Launch';
import { LoadBar } from './LoadBar';
import { Picks, type Chosen } from './Picks';
import { ownRings, useDroppedRuns, usePublished } from './rings';
import { Runs } from './Runs';
import { SearchNotes } from './SearchNotes';
import { ServingBar } from './ServingBar';

/** The view. */
export function Serving() {
  const request = modelRequest.value;
  const reply = useFrontier();
  const answer = reply && 'json' in reply ? reply : null;
  const { metric: id = 'machine' } = viewState.value.serving ?? {};
  const metric = METRICS[id] ?? METRICS.machine!;
  const chosen = answer && chosenPick(answer.json);
  const deployment = chosen && answer!.json.machines[chosen.machine]!.picks[chosen.row]!.best;
  const { rings, others } = usePublished(answer?.json ?? null);
  useDroppedRuns(
    deployment ? { machine: answer!.json.machines[chosen!.machine]!.id, machines: deployment.machines } : null,
  );
  if (!request) return null;
  return (
    <div class="serving-view">
      <LoadBar request={request} />
      <ServingBar request={request} searched={answer?.json.machines ?? []} />
      <AnswerFault reply={reply} />
      {answer && (
        <div class="serving-body">
          {metric.priced && answer.json.machines.every(({ usd_per_hour }) => usd_per_hour === null) ? (
            <p class="hint">Choose a price, or type one per machine: none is assumed.</p>
          ) : (
            <FrontierChart
              json={answer.json}
              columns={answer.columns}
              metric={metric}
              rings={[...rings, ...ownRings(answer.json)]}
              picked={deployment && { machine: chosen.machine, deployment }}
            />
          )}
          <div class="serving-picks">
            <Picks json={answer.json} chosen={deployment ? chosen : null} request={request} />
            {chosen && <Launch json={answer.json} chosen={chosen} />}
            <SearchNotes json={answer.json} />
            <Runs json={answer.json} published={rings.length} others={others} />
            <Documents model={answer.json.model} />
          </div>
        </div>
      )}
    </div>
  );
}

/** The pick that the view has, if its machine is searched, else the one that the finding names. */
function chosenPick({ machines, main_pick: row }: FrontierJson): Chosen | null {
  const [of, at = 0] = viewState.value.serving?.pick ?? [];
  const machine = typeof of === 'string' ? machines.findIndex(({ id }) => id === of) : of; // an index in older links
  if (machine !== undefined && machines[machine]?.picks[at]) return { machine, row: at };
  const each = machines.map(({ picks }) => picks[row]?.best?.tokens_per_s_per_machine ?? 0);
  const most = Math.max(0, ...each);
  return most > 0 ? { machine: each.indexOf(most), row } : null;
}

/** The search as files, and as the command that makes them. */
function Documents({ model }: { model: string }) {
  const save = (kind: 'json' | 'csv') => () =>
    frontierDocument(kind).then(
      text =>
        download(
          new Blob([text], { type: kind === 'csv' ? 'text/csv' : 'application/json' }),
          `${model}.frontier.${kind}`,
        ),
      (error: unknown) => complain('Export', error),
    );
  const command = frontierCommand();
  return (
    <p class="serving-notes view-controls">
      <button type="button" class="link" onClick={() => void save('csv')()}>
        Save as CSV
      </button>
      <button type="button" class="link" onClick={() => void save('json')()}>
        Save as JSON
      </button>
      {command && <CopyButton label="Copy as command" content={() => command} />}
    </p>
  );
}
