// How many points lie beyond each edge; a click brings them all into view.
import { fitPoints } from './window';
import type { Outside } from './points';

const ARROWS = { left: '←', right: '→', top: '↑', bottom: '↓' } as const;

export function OutsideBadges({ outside }: { outside: Outside }) {
  return (
    <>
      {(Object.keys(ARROWS) as (keyof Outside)[]).map(side => outside[side] > 0 && (
        <button key={side} type="button" class={`outside ${side}`} title="Zoom so that every point is in view" onClick={fitPoints}>
          {ARROWS[side]} {outside[side]} outside
        </button>
      ))}
    </>
  );
}
