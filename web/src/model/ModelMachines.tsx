// The request on every machine: ridge point, time, throughput, fit in memory.
import { number, percent, seconds, si } from '../format';
import { formatName } from '../core/catalogue';
import { useAnswer } from '../core/ask';
import { modelRequest } from './model';
import { chooseMachine } from '../core/settings';
import { ClipBox } from '../widgets/ClipBox';

interface Row {
  id: string;
  name: string;
  ridge: number | null;
  compute: string | null;
  ttft_s: number | null;
  tpot_s: number | null;
  tokens_per_s: number | null;
  typical_tpot_s: number | null;
  typical_tokens_per_s: number | null;
  stack: string;
  error_p90: number | null;
  fits: boolean | null;
  linked: boolean;
}

/** A row per machine; a click chooses it. */
export function ModelMachines() {
  const request = modelRequest.value;
  const reply = useAnswer<{ machines: Row[] }>('model_machines', request && { request });
  const rows =
    reply && 'json' in reply
      ? [...reply.json.machines].sort((a, b) => (b.tokens_per_s ?? 0) - (a.tokens_per_s ?? 0))
      : [];
  return (
    <ClipBox class="model-view">
      <table class="figures">
        <caption>A decode step of this request on each machine</caption>
        <thead>
          <tr>
            <th scope="col">Machine</th>
            <th scope="col">Computes as</th>
            <th scope="col" class="number">
              Ridge, FLOP/B
            </th>
            <th scope="col" class="number">
              First token
            </th>
            <th scope="col" class="number">
              Per token
            </th>
            <th scope="col" class="number">
              Estimate
            </th>
            <th scope="col" class="number">
              Tokens/s
            </th>
            <th scope="col" class="number">
              Estimate
            </th>
            <th scope="col">Memory</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.id}>
              <th scope="row">
                <button type="button" class="link" onClick={() => chooseMachine(row.id)}>
                  {row.name}
                </button>
              </th>
              <td>{row.compute === null ? '–' : formatName(row.compute)}</td>
              <td class="number">{number(row.ridge)}</td>
              <td class="number">{seconds(row.ttft_s)}</td>
              <td class="number">{seconds(row.tpot_s)}</td>
              <td
                class="number"
                title={`${row.stack}${row.error_p90 === null ? ': error not known' : `: 90% of published decode runs are within ${percent(row.error_p90)}`}`}
              >
                {seconds(row.typical_tpot_s)}
              </td>
              <td class="number">{si(row.tokens_per_s, '')}</td>
              <td class="number">{si(row.typical_tokens_per_s, '')}</td>
              <td>
                {row.fits === null ? 'not stated' : row.fits ? 'fits' : 'does not fit'}
                {!row.linked && ', no link stated'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ClipBox>
  );
}
