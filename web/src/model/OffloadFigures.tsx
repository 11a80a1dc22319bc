// Memory, traffic and time of the card and of the host, for a language model split between them.
import { bytes, count, seconds } from '../format';
import { machine } from '../core/engine';
import { useFinding } from '../core/finding';
import { offloadAnswer } from './offload';

/** The section of the model's figures; nothing where the model is whole on the machine. */
export function OffloadFigures() {
  const answer = offloadAnswer.value;
  const cardName = machine.value?.name ?? '';
  useFinding(answer?.finding); // not of the whole model on the card
  if (!answer) return null;
  const { card, host_part: host, link } = answer;
  const row = (name: string, onCard: string, onHost: string, title?: string) => (
    <tr title={title}>
      <th scope="row">{name}</th>
      <td>{onCard}</td>
      <td>{onHost}</td>
    </tr>
  );
  return (
    <section aria-label="Shared with the host">
      <h3>Shared with the host</h3>
      <table class="two-answers" aria-label="Card and host">
        <thead>
          <tr>
            <td />
            <th scope="col" title={cardName}>
              card
            </th>
            <th scope="col" title={answer.host}>
              host
            </th>
          </tr>
        </thead>
        <tbody>
          {row('layers with the head', count(answer.gpu_layers), count(answer.layers - answer.gpu_layers))}
          {row('weights', bytes(card.weights_bytes), bytes(host.weights_bytes))}
          {row('cache', bytes(card.cache_bytes), bytes(host.cache_bytes))}
          {row('read per token', bytes(card.traffic_bytes), bytes(host.traffic_bytes), 'In one decode step')}
          {row('time per token', seconds(card.typical_decode_s), seconds(host.typical_decode_s), 'Estimate')}
          {row('first token', seconds(card.typical_prefill_s), seconds(host.typical_prefill_s), 'Estimate')}
        </tbody>
      </table>
      <p class="muted">
        Card: {cardName}. Host: {answer.host}. They work one after the other, with {bytes(link.decode_bytes)} over the
        link per token ({seconds(link.decode_s)}): {seconds(answer.typical_tpot_s)} per token, first token after{' '}
        {seconds(answer.typical_ttft_s)}
        {answer.fits === false ? '. It does not fit' : answer.barely_fits && '. It barely fits'}
        {answer.experts_on_host && '. The experts are on the host'}.
      </p>
    </section>
  );
}
