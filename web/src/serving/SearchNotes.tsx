// Notes below the table: the size of the search, its error, its prices.
import { count, percent, plural, si } from '../format';
import { hasEditedRates } from '../core/settings';
import { modelAnswer } from '../model/model';
import { viewState } from '../core/view';
import type { FrontierJson, Searched } from './frontier';

/** The size of the search, the machines that the model does not fit on, and the errors, prices and power behind the figures. */
export const SearchNotes = ({ json }: { json: FrontierJson }) => (
  <div class="muted serving-notes">
    {hasEditedRates() && <p>Rates edited in the Change panel are not used here: every machine keeps its own rates.</p>}
    <p>
      Each user sends the next request when the last one is answered, so new prompts, one at a time, interrupt the
      decode steps. <i>Machines</i> and <i>Inference</i> run one batch instead, all prompts together and then decode
      steps alone: their first token takes longer, and each of their steps less time.
    </p>
    <p>
      {count(json.evaluated)} operating points were searched. The band is the estimate's median error. Faint points have
      fewer tokens/s per user and per machine than another point.
      {modelAnswer.value &&
        modelAnswer.value.memory.reserve > 0 &&
        ` ${percent(modelAnswer.value.memory.reserve)} of each machine’s memory stays free.`}
    </p>
    <ul aria-label="Searched machines">
      {json.machines.map(searched => (
        <li key={searched.name}>{machineNote(searched)}</li>
      ))}
    </ul>
    <p>
      <Basis json={json} />
    </p>
  </div>
);

function machineNote({ name, layouts, rejected, unfit, assumed, stack, throughput_error, tpot_error }: Searched) {
  const tried = `${name}: ${plural(layouts, 'combination')} of layout and format${rejected && `, ${rejected}`}.`;
  if (unfit) return `${tried} The model ${unfit}.`;
  const error =
    throughput_error === null
      ? `Unchecked: the error of the estimate is not known, because no run of ${stack} on this machine is published.`
      : `Published runs of ${stack}: the estimate is off by ${percent(throughput_error)} in throughput${tpot_error === null ? '' : ` and ${percent(tpot_error)} in time per token`} (median).`;
  return `${tried} ${error}${assumed && ` Its efficiencies are assumed: ${assumed}.`}`;
}

/** The price and the power of each machine, where the chart is of them. */
function Basis({ json: { machines } }: { json: FrontierJson }) {
  const { metric, price, usd } = viewState.value.serving ?? {};
  if (metric === 'joules')
    return (
      <>
        Power of a machine:{' '}
        {machines
          .map(
            ({ name, power, power_w }) => `${name} ${power_w === null ? 'not known' : `${si(power_w, 'W')} ${power}`}`,
          )
          .join(', ')}
        . All-in has its share of server, network and cooling.
      </>
    );
  const source = machines.flatMap(({ prices }) => prices).find(({ name }) => name === price)?.source;
  const own = machines.flatMap(({ id, name }) => (usd && id in usd ? name : [])).join(', ');
  if (!metric?.startsWith('usd') || !(source || own)) return null;
  return (
    <>
      Prices per hour: {source && `${price} (${source})`}
      {source && own && '; '}
      {own && `my own for ${own}`}.
    </>
  );
}
