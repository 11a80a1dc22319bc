// The selected operation: verdict, lever, number, evidence, then what else would help and every figure.
import { Fragment, type ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Detail } from '../../../wasm/session';
import { count, isRange, percent, range, capitalised } from '../format';
import { detail, panelFrame, tableFrame, timesOnly, units } from '../core/engine';
import { fused } from './neighbours';
import { changeFolded } from '../core/layout';
import { change, WHATIF_RANGE, type WhatIf } from '../core/settings';
import { sheet } from '../core/sheet';
import { openMeasuring } from '../measure/open';
import { modelAnswer } from '../model/model';
import { operator, rowName } from '../operator/operator';
import { selected } from '../core/view';
import { hasStatus } from '../plot/bounds';
import { breakable } from '../widgets/names';
import { CopyButton } from '../widgets/CopyButton';
import { IconButton } from '../widgets/IconButton';
import { Marker, Status } from '../widgets/Marker';
import { withCodeOnce } from '../widgets/Sentence';
import { accuraciesOf } from './accuracy';
import { Definitions, thresholdOf } from './Definitions';
import { asMarkdown } from './diagnosis_text';
import { EstimateTerms } from './EstimateTerms';
import { figureRow } from './figure_row';
import { figuresOf, gainOf } from './figures';
import { Fusion } from './Fusion';

/** Whether filters leave the selected operation out of the table. */
function isFilteredOut(op: number) {
  const { shown, all, table } = tableFrame.value?.json ?? {};
  return op === selected.value && table?.selected_row === null && shown!.ops < all!.ops;
}

/** What limits the selected operation and what would help. `renderChange`: draws how the operation changed between two runs. */
export function Diagnosis({ renderChange }: { renderChange?: (op: number) => ComponentChildren }) {
  const now = detail.value;
  const article = useRef<HTMLElement>(null);
  const op = now?.row.index;
  useLayoutEffect(() => article.current?.parentElement?.scrollTo(0, 0), [op]); // another operation is read from its top
  if (!now) return null;
  const fusion = now.row.category !== 'Program' && !timesOnly.value && <Fusion op={now.row.index} />;
  return (
    <article class="diagnosis" aria-label="Diagnosis" ref={article}>
      <h2 class="visually-hidden">Diagnosis</h2>
      <header>
        <h3 title={now.row.name}>
          <Marker symbol={now.row.symbol} /> {breakable(rowName(now.row))}
          {now.row.category === 'Program' && `, ${now.row.step}`}
        </h3>
        <IconButton
          icon="close"
          label="Close the diagnosis"
          keys="Esc"
          class="ghost small"
          onClick={() => (selected.value = null)}
        />
      </header>
      <div class="of-op">
        <p class="muted">
          {now.row.type}
          {now.row.product && <> {breakable(now.row.product)}</>}
          {now.row.count > 1 && ` · ${count(now.row.count)} times`}
        </p>
        <CopyButton label="Copy as Markdown" content={() => asMarkdown(now, units.value)} />
      </div>
      {isFilteredOut(now.row.index) && <p class="muted">The filters hide this operation in the table.</p>}
      {modelAnswer.value?.fits === false && (
        <p class="muted">The model does not fit in this machine's memory: the figures assume that it does.</p>
      )}
      {renderChange?.(now.row.index)}
      {hasStatus(now.row) && (
        <p>
          <Status of={now.row} /> <span class="muted">{thresholdOf(now.row)}</span>
        </p>
      )}
      <Verdict detail={now} />
      {now.remarks.map(remark => (
        <p key={remark} class="remark">
          {withCodeOnce(remark)}
        </p>
      ))}
      <Suggestions detail={now} />
      <RunHere detail={now} />
      {fused.value && fusion}
      <dl class="numbers" aria-label="Figures">
        {figuresOf(now, units.value).map(({ name, value, note }) => figureRow(name, value, note))}
      </dl>
      <Formulas detail={now} />
      <EstimateTerms detail={now} />
      {!fused.value && fusion}
      {now.text && <Record text={now.text} />}
      <Definitions />
    </article>
  );
}

/** The limit, the best change with its gain, and the evidence. */
function Verdict({ detail: { verdict, lever, number: gain, evidence } }: { detail: Detail }) {
  const several = (panelFrame.value?.json.all.ops ?? 0) > 1;
  return (
    <div class="verdict">
      <p>
        <strong>{withCodeOnce(verdict)}</strong>
      </p>
      {lever && (
        <p class="lever">
          <span>{capitalised(lever)}</span> <strong>{gain}</strong>
          {several && <span class="muted"> this operation alone</span>}
        </p>
      )}
      {evidence && <p class="muted">{withCodeOnce(evidence)}</p>}
    </div>
  );
}

/** The heading of a change; empty for one on this machine that keeps 8 bits or more in the KV cache. */
const headingOf = ({ whatif, coarse_cache }: Detail['suggestions'][number]) =>
  whatif.machine !== undefined
    ? 'The fastest machine of its class: data centre, desktop or embedded'
    : coarse_cache
      ? 'With less than 8 bits for the KV cache, which loses accuracy'
      : '';

/** The range that the Change panel shows of it. */
const rangeText = ({ typical_speedup, low, high }: Detail['suggestions'][number]) =>
  typical_speedup !== null &&
  isRange(low, high) &&
  typical_speedup >= low! &&
  typical_speedup <= high! &&
  `range ${range(low, high)}`;

function Suggestions({ detail: { row, suggestions } }: { detail: Detail }) {
  const accuracies = accuraciesOf(
    suggestions.map(({ whatif }) => whatif),
    row.name,
  );
  const headings = [...new Set(suggestions.map(headingOf))];
  if (suggestions.length === 0) return null;
  if (suggestions.length === 1 && Object.keys(suggestions[0]!.whatif).length === 0) return null; // the verdict has said it
  const apply = (whatif: object) => {
    change({ whatif: whatif as WhatIf });
    changeFolded.value = false;
    if (sheet.value) sheet.value = 'change';
  };
  return (
    <>
      <h4 title={WHATIF_RANGE}>What would help</h4>
      {headings.map(heading => (
        <Fragment key={heading}>
          {heading && <h5>{heading}</h5>}
          <ol class="suggestions">
            {suggestions.map(
              (suggestion, i) =>
                headingOf(suggestion) === heading && (
                  <SuggestionCard key={suggestion.change} of={suggestion} accuracy={accuracies[i]} apply={apply} />
                ),
            )}
          </ol>
        </Fragment>
      ))}
    </>
  );
}

interface CardProps {
  of: Detail['suggestions'][number];
  accuracy: string | undefined;
  apply: (whatif: object) => void;
}

/** A change, its gain and what that rests on; a click tries it. */
function SuggestionCard({ of: suggestion, accuracy, apply }: CardProps) {
  const { change: what, at_roof, bytes_factor, whatif } = suggestion;
  const notes = [
    accuracy,
    bytes_factor > 1.005 && `${percent(1 / bytes_factor)} of the bytes`,
    rangeText(suggestion),
    at_roof !== null && `${range(at_roof, at_roof)} if it reached the roof`,
  ];
  const content = (
    <>
      <span>{capitalised(what)}</span>
      <strong>{gainOf(suggestion)}</strong>
      <span class="muted">{notes.filter(Boolean).join('; ')}</span>
    </>
  );
  return (
    <li>
      {Object.keys(whatif).length ? (
        <button type="button" title="Try it as a what-if" onClick={() => apply(whatif)}>
          {content}
        </button>
      ) : (
        <div>{content}</div>
      )}
    </li>
  );
}

/** A matrix product of a file can be run on this computer, as the open operator can. */
function RunHere({ detail: { op, product } }: { detail: Detail }) {
  if (!product || operator.value) return null;
  const { activation } = op.formats as { activation: string };
  const asOperator = { type: 'gemm', parameters: product, formats: [activation] };
  return (
    <button type="button" onClick={() => openMeasuring(asOperator)}>
      Run it in this browser…
    </button>
  );
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
      <pre tabIndex={0} role="region" aria-label="Raw record">
        {pretty(text)}
      </pre>
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
    return text; // not JSON, such as NaN
  }
}
