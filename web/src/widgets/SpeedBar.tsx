// A bar of speed up to the estimate and a line from there to the bound, in the colour of the limit.
import { roofsNow } from '../plot/bounds';
import { limitVariable } from '../plot/palette';

interface Props {
  estimate: number; // speeds of any unit; 0: not known
  bound: number;
  whole: number; // that of the full width
  limit: string | null;
}

/** What the head of its column says. */
export const SPEED_HINT = 'Bar: estimate. Line: up to the bound. Colour: the resource that sets the bound';

/** The figures stand beside it. */
export function SpeedBar({ estimate, bound, whole, limit }: Props) {
  const colour = limitVariable(limit, roofsNow());
  const width = (speed: number) => `${(100 * speed) / whole}%`;
  return (
    <span class="bound-bar speed-bar" aria-hidden="true">
      <span style={{ width: width(estimate || bound), background: colour }} />
      {estimate > 0 && bound > estimate && (
        <span class="to-bound" style={{ width: width(bound - estimate), '--colour': colour }} />
      )}
    </span>
  );
}
