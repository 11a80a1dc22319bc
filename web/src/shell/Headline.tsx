// The headline of the tab. Its figures lead to the rows they were made from.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { FindingPart } from '../../../wasm/session';
import { isComputing } from '../core/computing';
import { finding, isOfView } from '../core/finding';
import { timesOnly } from '../core/engine';
import { openings } from '../core/view';
import { settling } from '../sources/files';
import { chooseFiles } from '../sources/input';
import { opened } from '../sources/opened';
import { Sentence } from '../widgets/Sentence';
import { shownView } from './views';

/** The page's first heading. */
export function Headline() {
  const { first, rest } = firstSentence(joined(finding.value));
  const heading = useRef<HTMLHeadingElement>(null);
  useTallest(heading, `${shownView().view.id} ${isOfView.value} ${openings.value} ${settling.value}`);
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
        Add a graph or shapes…
      </button>
      <span class="muted">A second file is joined with the open one by the names of its operations.</span>
    </div>
  ) : null;

/** Keeps the tallest height that the headline has had, so that an answer of fewer lines moves no control. Starts again when `resetKey` changes. */
function useTallest(heading: RefObject<HTMLElement>, resetKey: string) {
  useEffect(() => {
    const box = heading.current!;
    let [width, tallest] = [0, 0];
    const sizes = new ResizeObserver(() => {
      if (box.clientWidth !== width) [width, tallest, box.style.minHeight] = [box.clientWidth, 0, ''];
      if (box.offsetHeight <= tallest) return;
      tallest = box.offsetHeight;
      box.style.minHeight = `${tallest}px`;
    });
    sizes.observe(box);
    return () => {
      sizes.disconnect();
      box.style.minHeight = '';
    };
  }, [resetKey]);
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
