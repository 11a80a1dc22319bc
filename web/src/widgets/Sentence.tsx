// A finding as text: each of its figures leads to its rows and shows its formula on request.
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { FindingPart } from '../../../wasm/session';
import { finding } from '../core/finding';
import { changeTable, selected } from '../core/view';
import { remarksShown } from '../sources/remark_groups';
import { Icon } from './Icon';

const LONGEST_TOGETHER = 24; // characters of a figure that stay on one line
const LONGEST_WHOLE = 48; // characters of a name that is shown whole

export const Sentence = ({ parts }: { parts: FindingPart[] }) => (
  <>
    {parts.map((part, i) => (
      <Part key={i} {...part} />
    ))}
  </>
);

/** A message with what it has between backticks, a command to type, as code. */
export const withCode = (text: string) =>
  text.split('`').map((part, i) => (i % 2 ? <code key={i}>{part}</code> : part));

const isInHeadline = (command: string) => finding.value.some(({ text }) => text.includes(`\`${command}\``));

/** As withCode, but does not repeat a command that the headline shows. */
export const withCodeOnce = (text: string) =>
  text
    .split('`')
    .map((part, i) =>
      i % 2 === 0 ? part : isInHeadline(part) ? 'the command in the headline' : <code key={i}>{part}</code>,
    );

/** Opens the list that the headline refers to. */
const withImportLink = (text: string) =>
  text.split(/(import (?:errors|warnings))/).map((part, i) =>
    i % 2 ? (
      <button key={i} type="button" class="link" onClick={() => (remarksShown.value = true)}>
        {part}
      </button>
    ) : (
      <Fragment key={i}>{withCode(part)}</Fragment>
    ),
  );

function Part({ text, formula, op, categories, bounds, limits, steps }: FindingPart) {
  if (formula === undefined) return <>{withImportLink(text)}</>;
  const leads = op !== undefined || categories || bounds || limits || steps;
  const follow = () => {
    if (op !== undefined) selected.value = op;
    else changeTable({ categories, bounds, limits, steps });
  };
  // The icon never begins a line: it stays with the whole button, or with the last word of a long plain text.
  const last = leads || text.length <= LONGEST_TOGETHER ? 0 : text.lastIndexOf(' ') + 1;
  return (
    <>
      {text.slice(0, last)}
      <span class="together">
        {leads ? (
          <button
            type="button"
            class={text.length <= LONGEST_WHOLE ? 'link' : 'link cut'}
            title={
              text.length > LONGEST_WHOLE
                ? text
                : op === undefined
                  ? 'Show the rows it was made from'
                  : 'Select the operation'
            }
            onClick={follow}
          >
            {text}
          </button>
        ) : (
          text.slice(last)
        )}
        <HowSo figure={text} formula={formula} />
      </span>
    </>
  );
}

/** Moves what hangs below a word to the left as far as the right edge of the view takes. */
function keepInView(note: HTMLElement | null) {
  const view = note?.closest('main');
  if (view)
    note!.style.left = `${Math.min(0, view.getBoundingClientRect().right - note!.getBoundingClientRect().right - 8)}px`;
}

/** An icon that shows the formula of a figure. */
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
        onBlur={() => show(false)}
        onKeyDown={event => {
          if (event.key !== 'Escape' || !shown) return;
          event.stopPropagation(); // it closes nothing else
          show(false);
        }}
      >
        <Icon name="info" />
      </button>
      {shown && (
        <span role="note" ref={keepInView}>
          {figure} = {formula}
        </span>
      )}
    </span>
  );
}
