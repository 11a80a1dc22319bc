// Notes below the table: the size of the search, its error, its prices.
import { count, percent, si } from '../format';
import { viewState } from '../core/view';
import type { FrontierJson } from './frontier';

/** How much was searched, why layouts fell out, and the error, prices and power behind the figures. */
export const SearchNotes = ({ json }: { json: FrontierJson }) => (
  <p class="muted serving-notes">
    {count(json.evaluated)} operating points searched. The band is the estimate's median error; faint points are beaten
    by others.{' '}
    {json.machines.map(({ name, layouts, rejected, stack, throughput_error, tpot_error }) => (
      <span key={name}>
        {name}: {count(layouts)} {layouts === 1 ? 'combination' : 'combinations'} of layout and format
        {rejected && `, ${rejected}`}; estimates of {stack}
        {throughput_error !== null &&
          `, off by ${percent(throughput_error)} in throughput and ${percent(tpot_error)} in time per token (median)`}
        .{' '}
      </span>
    ))}
    <Basis json={json} />
  </p>
);

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
  if (!metric?.startsWith('usd') || !(source || usd)) return null;
  return (
    <>
      Prices per hour: {source && `${price} (${source})`}
      {source && usd && '; '}
      {usd && `my own for ${machines.flatMap(({ id, name }) => (id in usd ? name : [])).join(', ')}`}.
    </>
  );
}
