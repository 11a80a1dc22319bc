// The selected operation: where it stands, why, and what would help.
import type { ComponentChildren } from 'preact';
import type { Detail, RoofJson, RowJson } from '../../../wasm/session';
import {
  bytes,
  count,
  intensity,
  NONE,
  number,
  percent,
  range,
  rate,
  seconds,
  si,
  work,
  type Maybe,
  type Units,
} from '../format';
import { formatName } from '../state/catalogue';
import { detail, panelFrame, units } from '../state/engine';
import { detailTab } from '../state/layout';
import { change, type WhatIf } from '../state/settings';
import { Marker, Status } from '../widgets/Marker';
import { Definitions } from './Definitions';

/** What limits the selected operation and what would help. */
export function Diagnosis() {
  const now = detail.value;
  if (!now) return <p class="muted hint">Select an operation in the chart or the table.</p>;
  return (
    <article class="diagnosis" aria-label="Diagnosis">
      <h3>
        <Marker symbol={now.row.symbol} /> {now.row.name}
        {now.row.category === 'Program' && `, ${now.row.step}`}
      </h3>
      <p class="muted">
        {now.row.type}
        {now.row.count > 1 && ` · ${count(now.row.count)} times`} · <Status status={now.row.status} />
      </p>
      <p class="sentence">{now.sentence}</p>
      {now.remarks.map(remark => (
        <p key={remark} class="remark">
          {remark}
        </p>
      ))}
      <Suggestions detail={now} />
      <Numbers detail={now} unit={units.value} />
      <Formulas detail={now} />
      {now.text && <Record text={now.text} />}
      <Definitions />
    </article>
  );
}

function Suggestions({ detail: { suggestions } }: { detail: Detail }) {
  if (suggestions.length === 0) return null;
  const apply = (whatif: object) => {
    change({ whatif: whatif as WhatIf });
    detailTab.value = 'whatif';
  };
  return (
    <>
      <h4>What would help</h4>
      <ol class="suggestions">
        {suggestions.map(({ change: what, low, high, at_roof, bytes_factor, whatif }) => {
          const content = (
            <>
              <span>{what}</span>
              <strong>{range(low, high)}</strong>
              <span class="muted">
                {bytes_factor > 1.005 && `${number(bytes_factor)}× fewer bytes`}
                {at_roof !== null && ` · ${range(at_roof, at_roof)} at the roof`}
              </span>
            </>
          );
          return (
            <li key={what}>
              {Object.keys(whatif).length ? (
                <button type="button" title="Try it as the what-if" onClick={() => apply(whatif)}>
                  {content}
                </button>
              ) : (
                <div>{content}</div>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** A field of the op as in the JSON export. */
const field = (op: Record<string, unknown>, key: string) => (typeof op[key] === 'number' ? op[key] : null);
const entries = (op: Record<string, unknown>, key: string) =>
  Object.entries((op[key] ?? {}) as Record<string, number | null>).filter(
    (entry): entry is [string, number] => entry[1] !== null,
  );

function Numbers({ detail: { row, op }, unit }: { detail: Detail; unit: Units }) {
  const [derived, hw] = [field(op, 'derived_bytes'), field(op, 'hw_bytes')];
  const { compute } = row.formats;
  const timed = row.time_s !== null;
  const judged = !panelFrame.value?.json.ran_elsewhere;
  const typical = field(op, 'typical_time_s');
  return (
    <dl class="numbers" aria-label="Figures">
      {timed && <Line name="Time" value={seconds(row.time_s)} note="measured" />}
      <Line name="Bound" value={seconds(row.predicted_time_s)} note={row.bound_by ? `by ${row.bound_by}` : ''} />
      {typical !== row.predicted_time_s && (
        <Line name="Typical" value={seconds(typical)} note="overheads: see What-if" />
      )}
      {timed && judged && <Line name="Lost" value={seconds(row.lost_time_s)} note={share(row.lost_time_s)} />}
      {row.efficiency !== null && judged && (
        <Line name="Efficiency" value={percent(row.efficiency)} note="bound ÷ time" />
      )}
      {row.achieved_flops !== null ? (
        <Line
          name="Achieved"
          value={rate(row.achieved_flops, unit)}
          note={row.attainable_flops !== null ? `of ${rate(row.attainable_flops, unit)}` : ''}
        />
      ) : (
        <Line name="Attainable" value={rate(row.attainable_flops, unit)} note="at its bound" />
      )}
      {judged &&
        entries(op, 'utilization').map(([name, used]) => (
          <Line
            key={name}
            name={name === 'compute' ? 'Compute' : name}
            value={percent(used)}
            note={name === 'compute' ? 'of the peak' : bandwidthNote(name, row.achieved_bandwidth)}
          />
        ))}
      <Line name="Intensity" value={intensity(row.intensity, unit)} note={ridgeNote(op, unit)} />
      <Line name="Work" value={work(row.flops, unit)} note={compute ? `computes as ${formatName(compute)}` : ''} />
      <Line name="Bytes" value={row.bytes === null ? NONE : bytes(row.bytes)} note={operandFormats(row)} />
      {hw !== null && derived !== null && (
        <>
          <Line
            name="Data efficiency"
            value={percent(derived / hw)}
            note={`${bytes(derived)} derived ÷ ${bytes(hw)} measured`}
          />
          {row.flops !== null && (
            <Line
              name="Derived intensity"
              value={intensity(row.flops / derived, unit)}
              note="without the extra traffic"
            />
          )}
        </>
      )}
    </dl>
  );
}

/** "INT8", or by role where they differ. */
function operandFormats({ formats: { weight, activation, output, kv } }: RowJson) {
  const roles = (
    [
      ['weights', weight],
      ['activations', activation],
      ['output', output],
      ['KV', kv],
    ] as const
  ).filter(([, format]) => format !== null);
  if (new Set(roles.map(([, format]) => format)).size === 1) return formatName(roles[0]![1]!);
  return roles.map(([role, format]) => `${role} ${formatName(format!)}`).join(', ');
}

function Line({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
      <dd class="muted" title={note}>
        {note}
      </dd>
    </div>
  );
}

function share(lost: Maybe) {
  const total = panelFrame.value?.json.all.lost_time_s;
  return lost != null && lost > 0 && total ? `${percent(lost / total)} of all lost` : '';
}

function bandwidthNote(name: string, achieved: Maybe) {
  const roof = panelFrame.value?.json.roofs.find((r: RoofJson) => r.name === name && !r.whatif && !r.achievable);
  const device = panelFrame.value?.json.roofs.find(r => r.kind === 'memory');
  return roof && roof === device && achieved != null
    ? `${si(achieved, 'B/s')} of ${si(roof.rate, 'B/s')}`
    : 'of the bandwidth';
}

/** The intensity from which this op would be compute-bound: peak over bandwidth, from its own least times. */
function ridgeNote(op: Record<string, unknown>, unit: Units) {
  const times = entries(op, 'min_time_s');
  const compute = times.find(([name]) => name === 'compute')?.[1];
  const memory = times.find(([name]) => name !== 'compute')?.[1];
  const now = field(op, 'intensity');
  return compute && memory && now ? `ridge at ${number(((now * memory) / compute) * unit.scale)}` : '';
}

function Formulas({ detail: { formulas, notes } }: { detail: Detail }) {
  if (formulas.length === 0) return null;
  return (
    <details>
      <summary>How the work is counted</summary>
      {formulas.map(({ quantity, expression, with_numbers }) => (
        <p key={quantity} class="formula">
          <span>{quantity}</span>
          <code>{expression}</code>
          {with_numbers && <code class="muted">{with_numbers}</code>}
        </p>
      ))}
      {notes.map(note => (
        <p key={note} class="muted">
          {note}
        </p>
      ))}
    </details>
  );
}

function Record({ text }: { text: string }): ComponentChildren {
  return (
    <details>
      <summary>Raw record</summary>
      <pre tabIndex={0}>{pretty(text)}</pre>
    </details>
  );
}

function pretty(text: string) {
  try {
    // One field per line, lists on one line.
    return JSON.stringify(
      JSON.parse(text),
      (_, value: unknown) => (Array.isArray(value) ? `\u0001${JSON.stringify(value)}\u0001` : value),
      2,
    ).replace(/"\\u0001(.*?)\\u0001"/g, (_, inner: string) =>
      (JSON.parse(`"${inner}"`) as string).replaceAll(',', ', '),
    );
  } catch {
    return text; // NaN and the like are no JSON
  }
}
