// The terms of the estimate, as the core uses them.
import { useBackgroundAnswer } from './ask';
import { settings } from './settings';

/** The terms that the core uses: the settings, else those of the machine, the stack and the kind of operations. Null: none. */
export interface TermsInForce {
  launch_s: number | null;
  compute: number | null;
  bandwidth: number | null;
  units: number | null;
  overlap: number | null;
}

/** Null until the core has answered. Asked again when a term is set or cleared, not when its value changes. */
export function useTermsInForce(asked: boolean) {
  const { machine: chosen, stack, overhead } = settings.value;
  const follows = JSON.stringify([chosen, stack, Object.keys(overhead ?? {})]);
  const reply = useBackgroundAnswer<{ overhead: TermsInForce }>('scenario', asked ? {} : null, undefined, follows);
  return reply && !('error' in reply) ? reply.json.overhead : null;
}
