// The number of points outside each edge of the chart; a click zooms out to all.
import type { Outside } from './points';
import { fitPoints } from './window';

const ARROWS = { left: '←', right: '→', top: '↑', bottom: '↓' } as const;

/** The counts, each at its edge. */
export function OutsideBadges({ outside }: { outside: Outside }) {
  return (
    <>
      {(Object.keys(ARROWS) as (keyof Outside)[]).map(
        side =>
          outside[side] > 0 && (
            <button
              key={side}
              type="button"
              class={`outside ${side}`}
              title="Zoom out to all points"
              onClick={fitPoints}
            >
              {ARROWS[side]} {outside[side]} outside
            </button>
          ),
      )}
    </>
  );
}
