// What matters, in one sentence: the shown view's own, else that of all operations. Its figures lead to the rows they were made from.
import { useState } from 'preact/hooks';
import type { FindingPart } from '../../../wasm/session';
import { finding } from '../state/finding';
import { list, selected } from '../state/view';

const LONGEST_TOGETHER = 24; // characters of a figure that stay on one line with what follows them

/** The page's first heading. */
export function Headline() {
  const { first, rest } = firstSentence(finding.value);
  return (
    <h1 class="headline" aria-live="polite">
      <strong>
        <Sentence parts={first} />
      </strong>
      <Sentence parts={rest} />
    </h1>
  );
}

/** With its figures, each of which shows on request how it comes about. */
export const Sentence = ({ parts }: { parts: FindingPart[] }) => (
  <>
    {parts.map((part, i) => (
      <Part key={i} {...part} />
    ))}
  </>
);

/** Cut where the first full stop is: what more there is to say stands behind it. */
function firstSentence(parts: FindingPart[]) {
  const at = parts.findIndex(({ text, formula }) => formula === undefined && text.includes('. '));
  if (at < 0) return { first: parts, rest: [] };
  const { text } = parts[at]!;
  const end = text.indexOf('. ') + 1;
  return {
    first: [...parts.slice(0, at), { text: text.slice(0, end) }],
    rest: [{ text: text.slice(end) }, ...parts.slice(at + 1)],
  };
}

function Part({ text, formula, op, categories, bounds, steps }: FindingPart) {
  if (formula === undefined) return <>{text}</>;
  const leads = op !== undefined || categories || bounds || steps;
  const follow = () => {
    if (op !== undefined) selected.value = op;
    else list({ categories, bounds, steps });
  };
  return (
    <span class={text.length <= LONGEST_TOGETHER ? 'together' : undefined}>
      {leads ? (
        <button type="button" class="link" title="Show the rows it was made from" onClick={follow}>
          {text}
        </button>
      ) : (
        text
      )}
      <HowSo figure={text} formula={formula} />
    </span>
  );
}

/** How a figure comes about, on request. */
function HowSo({ figure, formula }: { figure: string; formula: string }) {
  const [shown, show] = useState(false);
  return (
    <span class="evidence">
      <button
        type="button"
        class="link"
        aria-label={`How ${figure} comes about`}
        aria-expanded={shown}
        onClick={() => show(!shown)}
      >
        ?
      </button>
      {shown && (
        <span role="note">
          {figure} = {formula}
        </span>
      )}
    </span>
  );
}
