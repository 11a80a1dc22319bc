// A bar of speed: solid up to the estimate, pale from there to the bound, in the colour of the limit.
import { roofsNow } from '../plot/bounds';
import { limitVariable } from '../plot/palette';

interface Props {
  estimate: number; // speeds of any unit; 0: not known
  bound: number;
  whole: number; // that of the full width
  limit: string | null;
}

/** What the head of its column says. */
export const SPEED_HINT = 'Speed bar: solid up to the estimate, pale up to the bound; the colour shows what limits it';

/** The figures stand beside it. */
export function SpeedBar({ estimate, bound, whole, limit }: Props) {
  const colour = limitVariable(limit, roofsNow());
  const width = (speed: number) => `${(100 * speed) / whole}%`;
  return (
    <span class="bound-bar speed-bar" aria-hidden="true">
      <span style={{ width: width(estimate || bound), background: colour }} />
      {estimate > 0 && bound > estimate && (
        <span class="pale" style={{ width: width(bound - estimate), '--colour': colour }} />
      )}
    </span>
  );
}
