// What a view shows in place of an answer.
import type { Fault } from '../../../wasm/session';

interface Props {
  reply: { error: Fault } | null; // null: not yet answered
  class: string; // of the view's box
}

/** The view's box: empty until the answer arrives, else with the error's message. */
export const NoAnswer = ({ reply, class: box }: Props) => (
  <div class={box}>{reply && <p class="hint">{reply.error.message}</p>}</div>
);
