// Speed, memory and cost of a language model, and the changes that would help.
import { Fragment } from 'preact';
import { bytes, count, intensity, NONE, number, percent, plural, rate, seconds, si } from '../format';
import { units } from '../core/engine';
import { useTermsInForce } from '../core/terms_in_force';
import {
  applyChange,
  changeModel,
  modelAnswer,
  modelRequest,
  phaseTimes,
  type Change,
  type ModelAnswer,
} from './model';
import { promptOf } from './model_request';
import { NumberInput } from '../widgets/NumberInput';
import { OffloadFigures } from './OffloadFigures';
import { MODEL_DEFAULTS } from '../protocol';

/** The figures of the open model: memory, speed, cost and what would help. */
export function Inference() {
  const answer = modelAnswer.value;
  if (!answer) return <div class="model-view" />;
  const keepsFree =
    answer.memory.reserve > 0 ? `With ${percent(answer.memory.reserve)} of the memory free` : 'Without a reserve';
  return (
    <div class="model-view">
      <div class="model-grid">
        <Figures answer={answer} />
        <section aria-label="Memory">
          <h3>Memory of {answer.machines > 1 ? 'each machine' : 'the machine'}</h3>
          <MemoryBar answer={answer} />
          <dl class="facts">
            <Fact name="largest batch" value={limitOf(answer, answer.largest_batch)} title={keepsFree} />
            <Fact
              name="longest context"
              value={
                limitOf(answer, answer.longest_context) +
                (answer.longest_context ? ` (${answer.longest_context_limit})` : '')
              }
              title={`${keepsFree}. In brackets: what limits it, the memory, or the context that the model was trained for`}
            />
            <Fact
              name="decode is compute-bound"
              value={answer.compute_bound_batch === null ? 'never' : `from batch ${count(answer.compute_bound_batch)}`}
              title="At this context. Never, if reading a sequence's KV cache takes longer than computing on it"
            />
          </dl>
        </section>
        <OffloadFigures />
        <Changes answer={answer} />
        {answer.measured.length > 0 && <MeasuredList answer={answer} />}
      </div>
    </div>
  );
}

/** A batch or a context that fits; without a known capacity a dash. Names the reserve where it makes the limit less than the request. */
function limitOf({ bytes_per_machine: { capacity }, memory: { reserve, verdict } }: ModelAnswer, value: number | null) {
  if (value === null && capacity !== null) return 'not limited';
  const limit = value === 0 ? 'none' : count(value);
  return reserve > 0 && (value === 0 || verdict === 'tight') ? `${limit} with ${percent(reserve)} free` : limit;
}

function Fact({ name, value, title }: { name: string; value: string; title?: string }) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The bound, and beside it the estimate with its error. */
function Figures({ answer: a }: { answer: ModelAnswer }) {
  const request = modelRequest.value;
  const terms = useTermsInForce(true);
  if (!request) return null;
  const { phase = 'decode', batch = 1 } = request;
  const { estimate, bound } = phaseTimes(a, phase);
  const priced = a.usd_per_million_tokens !== null;
  const joules = (value: number | null) => si(value === null ? null : value / 1e6, 'J');
  return (
    <section aria-label="Speed">
      <h3>Speed</h3>
      {a.fits === false && <p class="error">It does not fit: these would be the speeds with enough memory.</p>}
      <table class="two-answers" aria-label="Bound and estimate" aria-live="polite">
        <thead>
          <tr>
            <th />
            <th scope="col">bound</th>
            <th
              scope="col"
              class="achievable"
              title={`Expected on this machine with ${a.estimate.name}, fitted to published runs`}
            >
              estimate
            </th>
          </tr>
        </thead>
        <tbody>
          <Two
            title={`Of prompts of ${plural(promptOf(request), 'token')}`}
            name="time to first token"
            ideal={seconds(a.ttft_s)}
            achievable={seconds(a.typical_ttft_s)}
          />
          {batch > 1 && (
            <Two
              name="TTFT, single request"
              ideal={seconds(a.ttft_alone_s)}
              achievable={seconds(a.typical_ttft_alone_s)}
              title="Time to first token of one request that runs alone on the machine"
            />
          )}
          <Two name="time per token" ideal={seconds(a.tpot_s)} achievable={seconds(a.typical_tpot_s)} />
          {phase === 'generate' && (
            <Two name="whole generation" ideal={seconds(a.total_s)} achievable={seconds(a.typical_total_s)} />
          )}
          <Two
            name={phase === 'prefill' ? 'tokens/s read' : 'tokens/s'}
            title="All sequences together"
            ideal={number(a.tokens_per_s)}
            achievable={number(a.typical_tokens_per_s)}
          />
          {a.machines > 1 && (
            <Two
              name="tokens/s per machine"
              ideal={number(a.tokens_per_s_per_machine)}
              achievable={number(a.typical_tokens_per_s_per_machine)}
            />
          )}
          <Two
            name="tokens/s per user"
            ideal={number(a.tokens_per_s_per_user)}
            achievable={number(a.typical_tokens_per_s_per_user)}
          />
          {a.joules_per_million_tokens !== null && (
            <Two
              name="energy per token"
              title="At the machine's rated power"
              ideal={joules(a.joules_per_million_tokens)}
              achievable={joules(a.typical_joules_per_million_tokens)}
            />
          )}
          <Two
            name="cost per million tokens"
            ideal={priced ? `$${number(a.usd_per_million_tokens)}` : NONE}
            achievable={priced ? `$${number(a.typical_usd_per_million_tokens)}` : NONE}
          />
        </tbody>
      </table>
      <details>
        <summary>How accurate is the estimate?</summary>
        {estimate !== null && (
          <p class="estimate">
            {seconds(estimate)} {a.estimate.within || '(error not known)'}; bound {seconds(bound)}
          </p>
        )}
        <p class="muted">
          Estimated for the stack “{a.estimate.name}”{a.estimate.basis === 'assumed' && ' (assumed)'}
          {terms &&
            `: matrix products reach ${percent(terms.compute)} of the peak, memory transfers ${percent(terms.bandwidth)} of the bandwidth`}
          . Kernel launches, time that does not overlap and the other terms of <em>Estimate (overheads)</em> are added.
        </p>
        <p class="muted">
          Intensity: {intensity(a.prefill_intensity, units.value)} in prefill,{' '}
          {intensity(a.decode_intensity, units.value)} in decode.
        </p>
      </details>
      <Price answer={a} />
    </section>
  );
}

function Two({ name, ideal, achievable, title }: { name: string; ideal: string; achievable: string; title?: string }) {
  return (
    <tr title={title}>
      <th scope="row">{name}</th>
      <td>{ideal}</td>
      <td class="achievable">{achievable}</td>
    </tr>
  );
}

/** The price of a machine, which the user types: no datasheet states it. */
function Price({ answer: { cost, machines } }: { answer: ModelAnswer }) {
  const request = modelRequest.value;
  const field = (
    label: string,
    key: 'price_usd' | 'years' | 'usd_per_hour',
    shown: number | undefined,
    placeholder: string,
  ) => (
    <label>
      {label}
      <NumberInput
        label={label}
        value={shown}
        least={0.001}
        optional
        placeholder={placeholder}
        onInput={value => void changeModel({ [key]: value })}
      />
    </label>
  );
  return (
    <div class="price">
      {field('Machine, $', 'price_usd', request?.price_usd, cost.price_usd === null ? '–' : String(cost.price_usd))}
      {field('over years', 'years', request?.years, String(MODEL_DEFAULTS.years))}
      {field(
        'or $ per hour',
        'usd_per_hour',
        request?.usd_per_hour,
        cost.usd_per_hour === null ? '' : number(cost.usd_per_hour),
      )}
      <p class="muted">
        {cost.usd_per_hour === null
          ? 'Enter a price or an hourly rate to see the cost per million tokens.'
          : `$${number(cost.usd_per_hour)} per hour${machines > 1 ? ` for each of ${machines} machines` : ''}, at full load, without power.`}
      </p>
    </div>
  );
}

function MemoryBar({ answer: { bytes_per_machine: need, fits, memory } }: { answer: ModelAnswer }) {
  const whole = Math.max(need.total, need.capacity ?? 0);
  const parts = [
    ['weights', need.weights],
    ['cache', need.kv],
    ['activations', need.activations],
  ] as const;
  return (
    <>
      <div
        class={`memory-bar ${fits === false ? 'over' : ''}`}
        role="img"
        aria-label={parts.map(([name, size]) => `${name} ${bytes(size)}`).join(', ')}
      >
        {parts.map(([name, size]) => (
          <span key={name} class={name} style={{ width: `${(100 * size) / whole}%` }} />
        ))}
        {need.capacity !== null && <i style={{ left: `${(100 * need.capacity) / whole}%` }} />}
      </div>
      <p
        class={
          memory.verdict === 'does not fit' || memory.verdict === 'context too long'
            ? 'error'
            : memory.verdict === 'tight'
              ? 'warning'
              : 'muted'
        }
        data-fits
      >
        {parts.map(([name, size]) => `${name} ${bytes(size)}`).join(' + ')}
        {memory.text && `: ${memory.text}`}
      </p>
    </>
  );
}

/** The changes under their headings, in the core's order. */
function Changes({ answer: { changes } }: { answer: ModelAnswer }) {
  const headings = [...new Set(changes.map(headingOf))];
  return (
    <section aria-label="What would help">
      <h3>What would help</h3>
      {headings.map(heading => (
        <Fragment key={heading}>
          {heading && <h4>{heading}</h4>}
          <ChangeList changes={changes.filter(change => headingOf(change) === heading)} />
        </Fragment>
      ))}
      {changes.length === 0 && <p class="muted">No change that was tried gives more tokens per second.</p>}
    </section>
  );
}

/** The heading of a change; empty for a setting that fits, or may fit. */
const headingOf = ({ fits, hardware }: Change) =>
  fits === false ? 'Faster, but does not fit' : hardware ? 'Other hardware' : '';

const ChangeList = ({ changes }: { changes: Change[] }) => (
  <ul class="changes">
    {changes.map(change => (
      <li key={change.change}>
        <button type="button" class="link" onClick={() => applyChange(change)}>
          {change.change}
        </button>
        <strong title={`Bound: ${number(change.tokens_per_s_factor)}x`}>
          {number(change.typical_tokens_per_s_factor)}x
        </strong>
        <span class="muted">
          {change.fits === false
            ? 'does not fit'
            : `latency ${number(change.typical_latency_factor)}x${change.barely_fits ? ', barely fits' : ''}`}
        </span>
      </li>
    ))}
  </ul>
);

/** The measured runs: rates reached, bottleneck, and assumptions under which the prediction would agree. */
function MeasuredList({ answer }: { answer: ModelAnswer }) {
  return (
    <section aria-label="Measured" class="measured">
      <h3>Measured</h3>
      {answer.measured.map(point => (
        <div key={point.name}>
          <p>
            <strong>{point.name}</strong> {point.time_s !== null && `${seconds(point.time_s)} · `}{' '}
            {rate(point.achieved_flops, units.value)} · {si(point.achieved_bandwidth, 'B/s')} · MFU {percent(point.mfu)}{' '}
            · MBU {percent(point.mbu)} · {percent(point.efficiency)} of the bound · {point.bottleneck}
          </p>
          <ul>
            {point.explanations.slice(0, 3).map(({ assumption, time_s }) => (
              <li key={assumption} class="muted">
                {seconds(time_s)} if {assumption}
                {point.time_s !== null && ` (${percent(time_s / point.time_s)} of the measured time)`}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
