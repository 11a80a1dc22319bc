// A finding as text: each of its figures shows its formula on request, and from there leads to its rows.
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { FindingPart } from '../../../wasm/session';
import { finding } from '../core/finding';
import { changeTable, selected } from '../core/view';
import { remarksShown } from '../sources/remark_groups';

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

function Part({ text, formula, ...rows }: FindingPart) {
  if (formula === undefined) return <>{withImportLink(text)}</>;
  return <Figure text={text} formula={formula} rows={rows} />;
}

/** A figure that shows its formula on request, and from there leads to its rows. */
function Figure({
  text,
  formula,
  rows,
}: { text: string; formula: string; rows: Omit<FindingPart, 'text' | 'formula'> }) {
  const [shown, show] = useState(false);
  const { op, categories, bounds, limits, steps } = rows;
  const leads = op !== undefined || categories || bounds || limits || steps;
  const follow = () => {
    show(false);
    if (op !== undefined) selected.value = op;
    else changeTable({ categories, bounds, limits, steps });
  };
  const whole = text.length <= LONGEST_WHOLE;
  return (
    <span
      class={text.length <= LONGEST_TOGETHER ? 'evidence together' : 'evidence'}
      onFocusOut={event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) show(false);
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape' || !shown) return;
        event.stopPropagation(); // it closes nothing else
        show(false);
      }}
    >
      <button
        type="button"
        class={whole ? 'link' : 'link cut'}
        title={`${text} = ${formula}`}
        aria-expanded={shown}
        onClick={() => show(!shown)}
      >
        {text}
      </button>
      {shown && (
        <span role="note" ref={keepInView}>
          {text} = {formula}{' '}
          {leads && (
            <button type="button" class="link" onClick={follow}>
              {op === undefined ? 'Show its rows' : 'Select the operation'}
            </button>
          )}
        </span>
      )}
    </span>
  );
}

/** Shifts the note to the left so that it ends inside the view. */
function keepInView(note: HTMLElement | null) {
  const view = note?.closest('main');
  if (view)
    note!.style.left = `${Math.min(0, view.getBoundingClientRect().right - note!.getBoundingClientRect().right - 8)}px`;
}
