// A limit on the chart that is dragged, or moved by the arrow keys.
import { useRef } from 'preact/hooks';

/** In the frame's pixels. */
interface Place {
  left: number;
  top: number;
  length: number;
  gap?: { from: number; to: number }; // in a vertical line
  gripInset?: number | undefined; // from a vertical line to a grip on its left; absent: the grip is on its right
}

interface Props {
  label: string;
  text: string; // the limit, or how to set it
  across: boolean; // a horizontal line, moved up and down
  place: Place; // of the line
  set: boolean;
  value: number; // s; 0 where it is not set
  onMove: (pixel: number) => void; // in the frame
  onStep: (steps: number) => void; // positive: stricter
  onClear: () => void;
}

const FIRST_STEPS = 10; // from the end of its axis, for a click or Enter that sets a limit

/** A grip along the line. The line itself is part of the picture. */
export function LimitHandle({ label, text, across, place, set, value, onMove, onStep, onClear }: Props) {
  const start = useRef<number | null>(null); // from the pointer to the line
  const dragged = useRef(false);
  const along = (event: PointerEvent) => (across ? event.clientY : event.clientX);
  const { left, top, length, gripInset = 0, gap = { from: top + length, to: top + length } } = place;
  const parts = {
    '--before-gap': `${gap.from - top}px`,
    '--after-gap': `${top + length - gap.to}px`,
    '--grip-inset': `${gripInset}px`,
  };
  return (
    <div
      class={`limit ${across ? 'across' : 'upright'} ${set ? 'set' : ''} ${place.gripInset === undefined ? '' : 'grip-left'}`}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation={across ? 'vertical' : 'horizontal'}
      aria-valuenow={value}
      aria-valuetext={text}
      title={
        set
          ? `${label}: ${text}. Drag or use the arrow keys to move it; Delete removes it.`
          : `${label}: ${text}. Drag, click or press Enter to set it.`
      }
      style={across ? { left, top, width: length } : { left, top, height: length, ...parts }}
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = along(event) - (across ? top : left);
        dragged.current = false;
        event.preventDefault();
        event.currentTarget.focus();
      }}
      onPointerMove={event => {
        if (start.current === null) return;
        dragged.current = true;
        onMove(along(event) - start.current);
      }}
      onPointerUp={() => {
        start.current = null;
        if (!set && !dragged.current) onStep(FIRST_STEPS);
      }}
      onPointerCancel={() => (start.current = null)}
      onKeyDown={event => {
        const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (steps) onStep(steps);
        else if (event.key === 'Enter' && !set) onStep(FIRST_STEPS);
        else if (event.key === 'Delete' || event.key === 'Backspace') onClear();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <span class="grip">
        <span aria-hidden="true">{set ? (across ? '↕' : '↔') : '+'}</span> {set ? text : label}
      </span>
    </div>
  );
}
