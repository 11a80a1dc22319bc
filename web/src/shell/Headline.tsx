// The headline of the tab. Its figures lead to the rows they were made from.
import type { FindingPart } from '../../../wasm/session';
import { isComputing } from '../core/computing';
import { finding } from '../core/finding';
import { Sentence } from '../widgets/Sentence';

/** The page's first heading. */
export function Headline() {
  const { first, rest } = firstSentence(joined(finding.value));
  return (
    <h1 class="headline" aria-live="polite" aria-busy={isComputing()}>
      <strong>
        <Sentence parts={first} />
      </strong>
      <Sentence parts={rest} />
    </h1>
  );
}

/** Texts without a formula that follow each other as one. */
function joined(parts: FindingPart[]) {
  const all: FindingPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last && last.formula === undefined && part.formula === undefined)
      all[all.length - 1] = { text: last.text + part.text };
    else all.push(part);
  }
  return all;
}

/** Splits a finding after its first sentence, which is emphasised. */
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
