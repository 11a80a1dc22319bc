// Questions to the core beyond the frame. A view's answer is updated when the settings, the source or its request change.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Fault, FindingPart } from '../../../wasm/session';
import type { Answer } from '../worker/messages';
import { questions, ready, unanswered } from './computing';
import { core, CoreStopped } from './core';
import { opened } from '../sources/opened';
import { faultOf } from './faults';
import { useFinding } from './finding';
import { settingsText } from './settings';

export type Reply<T> = Answer<T> | { error: Fault };

let lastAnswer: Promise<unknown> = Promise.resolve(); // to the last question that was put to the core; never rejects

/** Puts one question to the core under the settings in force. */
export function ask<T>(question: string, request: object) {
  const answer = core().ask(settingsText.peek(), question, request) as Promise<Reply<T>>;
  lastAnswer = answer.catch(() => {});
  return answer;
}

/** The same of the questions that quantize.wasm answers. */
export const askQuantize = <T>(question: string, request: object) =>
  core().askQuantize(settingsText.peek(), question, request) as Promise<Reply<T>>;

/** An answer without its finding, which would become the headline: for a question beside the view's own. */
export async function askInBackground<T>(question: string, request: object): Promise<Reply<T>> {
  const reply = await ask<T & { finding?: unknown }>(question, request);
  if ('error' in reply) return reply;
  const { finding: _, ...json } = reply.json;
  return { ...reply, json: json as T };
}

/** Before, the core would answer as if no operation existed. */
const whenReady = new Promise<void>(resolve => void ready.subscribe(isReady => isReady && resolve()));

/** Asks a question, at once or in parts; null if it stopped between parts because `stale` returned true. */
export type AskFunction<T> = (question: string, request: object, stale: () => boolean) => Promise<Reply<T> | null>;

/**
 * The newest answer; null until it arrives, and while `request` is null. One question runs at a time; the newest state wins.
 * `follows`: a further value that the answer depends on, besides the request and the source.
 */
export function useAnswer<T>(
  question: string,
  request: object | null,
  how: AskFunction<T> = ask<T>,
  follows = settingsText.value,
): Reply<T> | null {
  const answer = useReply(question, request, how, follows, true);
  const { finding } = (answer && !('error' in answer) ? answer.json : {}) as { finding?: FindingPart[] | string };
  useFinding(Array.isArray(finding) ? finding : undefined); // a language model's finding is a plain string, kept in modelAnswer
  return answer;
}

/** Returns `value` as it was when `answer` arrived, so an old answer keeps its labels while the next is computed. */
export function useValueOfAnswer<T>(answer: unknown, value: T): T {
  const last = useRef({ answer, value });
  if (last.current.answer !== answer) last.current = { answer, value };
  return last.current.value;
}

/** Asks a question in the background: the headline and the view do not show its answer or turn grey while it runs. */
export const useBackgroundAnswer = <T>(
  question: string,
  request: object | null,
  how: AskFunction<T> = ask<T>,
  follows = settingsText.value,
) => useReply(question, request, how, follows, false);

/** `blocksView`: the page is shown as computing while the question is not answered. */
function useReply<T>(
  question: string,
  request: object | null,
  how: AskFunction<T>,
  follows: string,
  blocksView: boolean,
) {
  const [answer, setAnswer] = useState<Reply<T> | null>(null);
  const latest = useRef({ request, busy: false, stale: false, gone: false });
  latest.current.request = request;
  useEffect(() => () => void (latest.current.gone = true), []);
  useEffect(() => {
    const now = latest.current;
    now.stale = true;
    if (now.busy) return;
    now.busy = true;
    const answered = (async () => {
      try {
        while (now.stale && !now.gone) {
          if (now.request) await whenReady;
          now.stale = false;
          const asked = now.request;
          const outdated = () => now.stale || now.gone;
          if (asked) await lastAnswer; // so that questions that a quick tab change makes outdated are never sent
          const reply = asked && !outdated() ? await how(question, asked, outdated).catch(asFault) : null;
          if (!now.gone && (reply || !asked)) setAnswer(reply);
          if (blocksView) questions.progressed();
        }
      } finally {
        now.busy = false; // also when the core stopped: the question is asked again once the source is reopened
      }
    })();
    if (blocksView) void (answer === null ? unanswered : questions).follow(answered);
  }, [question, JSON.stringify(request), follows, opened.value]);
  return answer;
}

/** Turns a loading error into a fault for the view. Rethrows CoreStopped: the page shows it. */
function asFault(error: unknown): { error: Fault } {
  if (error instanceof CoreStopped) throw error;
  return { error: faultOf(error) };
}

/** Whether a message begins with its field: `n: ...` or `field "n": ...`. */
export const namesField = (message: string, field: string) =>
  message.startsWith(`field "${field}"`) || (message.startsWith(field) && !/\w/.test(message.charAt(field.length)));

/** The message after its field, which is not repeated. */
export const faultText = ({ path, message }: Pick<Fault, 'path' | 'message'>) =>
  path && !namesField(message, path) ? `${path}: ${message}` : message;
