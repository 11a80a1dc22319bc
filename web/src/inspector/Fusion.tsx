// Neighbouring operations fused into one kernel: the traffic that stays on chip, and the new limit.
import type { FusionJson } from '../../../wasm/session';
import { seconds, si, count } from '../format';
import { useBackgroundAnswer } from '../core/ask';
import { core } from '../core/core';
import { opened } from '../sources/opened';
import { extend, fused, unfuse } from './neighbours';
import { settingsText } from '../core/settings';
import { viewState } from '../core/view';
import type { Answer } from '../worker/messages';
import { Sentence } from '../widgets/Sentence';

/** A call of its own to the worker, which reads the tensors' records from the file. */
const ask = async (_: string, request: object) => {
  const reply = await core().fusion(settingsText.peek(), (request as { ops: number[] }).ops);
  if ('error' in reply) return reply;
  const { finding, ...rest } = reply.json as FusionJson; // not the headline of the view
  return { json: { ...rest, sentence: finding }, columns: {} } as Answer<Shown>;
};
type Shown = Omit<FusionJson, 'finding'> & { sentence: FusionJson['finding'] };

/** The selected operation fused with its neighbours, and the buttons that add them. */
export function Fusion({ op }: { op: number }) {
  const range = fused.value;
  const [first, last] = range ?? [op, op];
  const ops = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const answer = useBackgroundAnswer<Shown>(
    'fusion',
    range && { ops },
    ask,
    `${settingsText.value} ${viewState.value.grouped}`,
  );
  const end = (opened.value?.ops ?? 0) - 1; // on the first picture nothing is open yet
  return (
    <details class="fusion" open={range !== null}>
      <summary>Fuse with neighbours</summary>
      <div class="actions">
        <button type="button" disabled={first === 0} onClick={() => extend(first - 1)}>
          + previous op
        </button>
        <button type="button" disabled={last >= end} onClick={() => extend(last + 1)}>
          + next op
        </button>
        {range && (
          <button type="button" onClick={unfuse}>
            This op alone
          </button>
        )}
      </div>
      {range &&
        answer &&
        ('error' in answer ? <p class="remark">{answer.error.message}</p> : <Result {...answer.json} />)}
    </details>
  );
}

function Result({ sentence, ops, between, resources, remarks }: Shown) {
  return (
    <>
      <p>
        <Sentence parts={sentence} />
      </p>
      <ol class="chain">
        {ops.map(({ index, name, predicted_time_s, bound_by }, i) => (
          <li key={index}>
            <span>{name}</span>{' '}
            <span class="muted">
              {seconds(predicted_time_s)} {bound_by && `by ${bound_by}`}
            </span>
            {between[i] && <p class="muted">{passes(between[i])}</p>}
          </li>
        ))}
      </ol>
      <table aria-label="Work and bounds">
        <thead>
          <tr>
            <th scope="col" />
            <th scope="col" class="number">
              separate
            </th>
            <th scope="col" class="number">
              fused
            </th>
          </tr>
        </thead>
        <tbody>
          {resources.map(({ name, kind, work, fused_work, time_s, fused_time_s }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">
                {seconds(time_s)}
                {kind !== 'compute' && <p class="muted">{si(work, 'B')}</p>}
              </td>
              <td class="number">
                {seconds(fused_time_s)}
                {kind !== 'compute' && <p class="muted">{si(fused_work, 'B')}</p>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {remarks.map(remark => (
        <p key={remark} class="muted">
          {remark}
        </p>
      ))}
    </>
  );
}

function passes({ match, tensor, elements, read_as, written_bytes, read_bytes }: FusionJson['between'][number]) {
  if (match === 'unknown') return 'passes on: unknown';
  if (match === 'none') return 'passes nothing on';
  const what = tensor ?? `${count(elements)} elements`;
  const how = read_as ? `, read as ${read_as}` : '';
  return `passes on ${what}${how}: saves ${si(written_bytes, 'B')} written and ${si(read_bytes, 'B')} read`;
}
