// The headline of the tab. Its figures lead to the rows they were made from.
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FindingPart } from '../../../wasm/session';
import { isComputing } from '../core/computing';
import { finding, isOfView } from '../core/finding';
import { timesOnly } from '../core/engine';
import { held } from '../core/pointer';
import { sourcesOpened } from '../core/view';
import { settling } from '../sources/apply_opened';
import { chooseFiles } from '../sources/input';
import { opened } from '../sources/opened';
import { Sentence } from '../widgets/Sentence';
import { shownView } from './views';

/** The page's first heading. */
export function Headline() {
  const { first, rest } = firstSentence(joined(finding.value));
  const heading = useRef<HTMLHeadingElement>(null);
  useSteadyHeight(heading, `${shownView().view.id} ${isOfView.value} ${sourcesOpened.value} ${settling.value}`);
  return (
    <h1 class="headline" tabIndex={-1} aria-live="polite" aria-busy={isComputing()} ref={heading}>
      <strong>
        <Sentence parts={first} />
      </strong>
      <Sentence parts={rest} />
    </h1>
  );
}

/** A button that opens a second file and joins it with the open one. Shown if only times are known, unless the page asks for the model of a trace. */
export const AddShapes = () =>
  timesOnly.value && !opened.value?.asks_for_model ? (
    <div class="add-shapes">
      <button type="button" onClick={() => void chooseFiles()}>
        Add the model's graph or shapes…
      </button>
      <span class="muted">A second file is joined with the open one by the names of its operations.</span>
    </div>
  ) : null;

const FIELDS = 'input:not([type=checkbox])'; // sliders too

/** While a value is dragged or typed, an answer of fewer lines moves nothing: the headline keeps its height. Starts again when `resetKey` changes. */
function useSteadyHeight(heading: RefObject<HTMLElement>, resetKey: string) {
  const last = useRef({ resetKey, width: 0, height: 0 });
  useLayoutEffect(() => {
    const box = heading.current!;
    const { resetKey: key, width, height } = last.current;
    const live = held.peek() || document.activeElement?.matches(FIELDS);
    box.style.minHeight = live && key === resetKey && width === box.clientWidth ? `${height}px` : '';
    last.current = { resetKey, width: box.clientWidth, height: box.offsetHeight };
  });
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
