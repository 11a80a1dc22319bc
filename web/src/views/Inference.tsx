// What a language model's run takes, whether it fits, and what would help.
import { bytes, count, number, percent, seconds, si } from '../format';
import { applyChange, modelAnswer, modelRequest, type ModelAnswer } from '../state/model';

const rate = (value: number | null) => si(value, 'tokens/s');

export function Inference() {
  const answer = modelAnswer.value;
  if (!answer) return <div class="model-view" />;
  return (
    <div class="model-view">
      <div class="model-grid">
        <Figures answer={answer} />
        <section aria-label="Memory">
          <h3>Memory of {answer.machines > 1 ? 'each machine' : 'the machine'}</h3>
          <MemoryBar answer={answer} />
          <dl class="facts">
            <Fact name="largest batch" value={answer.largest_batch === 0 ? 'none' : count(answer.largest_batch)} />
            <Fact name="longest context" value={answer.longest_context === null && answer.bytes_per_machine.capacity ? 'not limited' : count(answer.longest_context)} />
            <Fact name="decode turns compute-bound" value={answer.compute_bound_batch === null ? 'at no batch' : `from batch ${count(answer.compute_bound_batch)}`}
              title="At this context. At no batch, where every sequence brings more cache to read than work" />
          </dl>
        </section>
        <Changes answer={answer} />
        {answer.measured.length > 0 && <MeasuredList answer={answer} />}
      </div>
    </div>
  );
}

function Fact({ name, value, title }: { name: string; value: string; title?: string }) {
  return <div title={title}><dt>{name}</dt><dd>{value}</dd></div>;
}

function Figures({ answer: a }: { answer: ModelAnswer }) {
  const generating = modelRequest.value?.phase === 'generate';
  return (
    <section aria-label="Speed">
      <h3>Speed</h3>
      <dl class="facts" aria-live="polite">
        <Fact name="time to first token" value={seconds(a.ttft_s)} title={`Typical: ${seconds(a.typical_ttft_s)}, at the fractions of the rates that real kernels reach`} />
        <Fact name="time per token" value={seconds(a.tpot_s)} title={`Typical: ${seconds(a.typical_tpot_s)}, at the fractions of the rates that real kernels reach`} />
        {generating && <Fact name="whole generation" value={seconds(a.total_s)} />}
        <Fact name="tokens/s" value={rate(a.tokens_per_s)} title="All sequences together" />
        {a.machines > 1 && <Fact name="tokens/s per machine" value={rate(a.tokens_per_s_per_machine)} />}
        <Fact name="tokens/s per user" value={rate(a.tokens_per_s_per_user)} />
        <Fact name="intensity, prefill and decode" value={`${number(a.prefill_intensity)} and ${number(a.decode_intensity)} FLOP/B`} />
        {a.joules_per_million_tokens !== null && <Fact name="energy" value={`${si(a.joules_per_million_tokens / 1e6, 'J')} per token`} title="At the machine's rated power" />}
        {a.usd_per_million_tokens !== null && <Fact name="cost" value={`$${number(a.usd_per_million_tokens)} per million tokens`} title="The machine's price over four years of use" />}
      </dl>
    </section>
  );
}

function MemoryBar({ answer: { bytes_per_machine: need, fits } }: { answer: ModelAnswer }) {
  const whole = Math.max(need.total, need.capacity ?? 0);
  const parts = [['weights', need.weights], ['cache', need.kv], ['activations', need.activations]] as const;
  return (
    <>
      <div class={`memory-bar ${fits === false ? 'over' : ''}`} role="img" aria-label={parts.map(([name, size]) => `${name} ${bytes(size)}`).join(', ')}>
        {parts.map(([name, size]) => <span key={name} class={name} style={{ width: `${(100 * size) / whole}%` }} />)}
        {need.capacity !== null && <i style={{ left: `${(100 * need.capacity) / whole}%` }} />}
      </div>
      <p class={fits === false ? 'error' : 'muted'} data-fits>
        {parts.map(([name, size]) => `${name} ${bytes(size)}`).join(' + ')} {need.capacity === null ? '' : fits ? `fit in ${bytes(need.capacity)}` : `do not fit in ${bytes(need.capacity)}`}
      </p>
    </>
  );
}

function Changes({ answer }: { answer: ModelAnswer }) {
  return (
    <section aria-label="What would help">
      <h3>What would help</h3>
      <ul class="changes">
        {answer.changes.map(change => (
          <li key={change.change}>
            <button type="button" class="link" onClick={() => applyChange(change)}>{change.change}</button>
            <strong>{number(change.tokens_per_s_factor)}×</strong>
            <span class="muted">{change.fits === false ? 'does not fit' : `${number(change.latency_factor)}× the latency`}</span>
          </li>
        ))}
      </ul>
      {answer.changes.length === 0 && <p class="muted">None of the changes that are tried gives more tokens per second.</p>}
    </section>
  );
}

function MeasuredList({ answer }: { answer: ModelAnswer }) {
  return (
    <section aria-label="Measured" class="measured">
      <h3>Measured</h3>
      {answer.measured.map(point => (
        <div key={point.name}>
          <p><strong>{point.name}</strong> {seconds(point.time_s)} · {si(point.achieved_flops, 'FLOP/s')} · {si(point.achieved_bandwidth, 'B/s')} · MFU {percent(point.mfu)} · MBU {percent(point.mbu)} · {percent(point.efficiency)} of the bound · {point.bottleneck}</p>
          <ul>{point.explanations.slice(0, 3).map(({ assumption, time_s }) => <li key={assumption} class="muted">{seconds(time_s)} if {assumption}</li>)}</ul>
        </div>
      ))}
    </section>
  );
}
