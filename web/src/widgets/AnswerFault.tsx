// What a view shows in place of an answer.
import { faultText, type Reply } from '../core/ask';

interface Props {
  reply: Reply<unknown> | null; // null: not yet answered
}

/** The answer's error; nothing without one. */
export const AnswerFault = ({ reply }: Props) =>
  reply && 'error' in reply ? (
    <p class="hint error" role="alert">
      {faultText(reply.error)}
    </p>
  ) : null;

/** The view's box with the error; empty until the answer arrives. */
export const NoAnswer = ({ reply, class: box }: Props & { class: string }) => (
  <div class={box}>
    <AnswerFault reply={reply} />
  </div>
);
