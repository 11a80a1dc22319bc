// Ticks for Plotly with the labels of our own axes; Plotly's put no space before a unit.
import { tick, timeTick } from '../format';
import { roundStep } from '../plot/plane';

const FEW = 5;

/** Of a linear axis of seconds that begins at 0. */
export function timeTicks(most: number) {
  const step = roundStep(most / FEW);
  const tickvals = most > 0 ? Array.from({ length: FEW + 2 }, (_, i) => Number((i * step).toPrecision(12))) : [0];
  return { tickvals, ticktext: tickvals.map(timeTick) };
}

/** Of a logarithmic axis: some digits of every decade that the values are in. */
export function decadeTicks(values: readonly number[], label = tick, digits = [1, 2, 5]) {
  const some = values.filter(value => value > 0).map(Math.log10);
  const first = Math.floor(Math.min(...some));
  const decades = some.length ? Math.ceil(Math.max(...some)) - first + 1 : 0;
  const tickvals = Array.from({ length: decades }, (_, i) => digits.map(digit => digit * 10 ** (first + i))).flat();
  return { tickvals, ticktext: tickvals.map(label) };
}
