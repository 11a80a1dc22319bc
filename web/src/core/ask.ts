// Questions beyond the frame, for the views that need one: an answer that keeps up with the settings, what is open, and the request.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Fault, FindingPart } from '../../../wasm/session';
import type { Answer } from '../worker/messages';
import { core } from './core';
import { opened } from '../sources/files';
import { useFinding } from './finding';
import { settingsText } from './settings';

export type Reply<T> = Answer<T> | { error: Fault };

/** Puts one question to the core under the settings in force. */
export const ask = <T>(question: string, request: object) =>
  core().ask(settingsText.peek(), question, request) as Promise<Reply<T>>;

/** How a question is put: at once, or in parts; null where it was given up because `stale` turned true between them. */
export type How<T> = (question: string, request: object, stale: () => boolean) => Promise<Reply<T> | null>;

/**
 * The newest answer; null until there is one, and while `request` is null. At most one question is under way, and the newest state wins.
 * `follows`: what the answer depends on beside the request and what is open.
 */
export function useAnswer<T>(
  question: string,
  request: object | null,
  how: How<T> = ask<T>,
  follows = settingsText.value,
): Reply<T> | null {
  const [answer, setAnswer] = useState<Reply<T> | null>(null);
  const latest = useRef({ request, busy: false, stale: false, gone: false });
  latest.current.request = request;
  useEffect(() => () => void (latest.current.gone = true), []);
  useEffect(() => {
    const now = latest.current;
    now.stale = true;
    if (now.busy) return;
    now.busy = true;
    void (async () => {
      try {
        while (now.stale && !now.gone) {
          now.stale = false;
          const asked = now.request;
          const reply = asked && (await how(question, asked, () => now.stale || now.gone));
          if (!now.gone && (reply || !asked)) setAnswer(reply);
        }
      } finally {
        now.busy = false; // where the core has stopped, too: it is asked again when what was open is open again
      }
    })();
  }, [question, JSON.stringify(request), follows, opened.value]);
  const { finding } = (answer && !('error' in answer) ? answer.json : {}) as { finding?: FindingPart[] | string };
  useFinding(Array.isArray(finding) ? finding : undefined); // a language model's is a plain sentence, which its own state keeps
  return answer;
}
