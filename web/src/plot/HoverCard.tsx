// A card beside a point of a chart, which it never covers.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const GAP_PX = 12; // between the point's edge and the card
const EDGE_PX = 4;

/** A point of the element in which the card stands. */
export interface Anchor {
  x: number;
  y: number;
  radius?: number;
}

/** Right of the point where there is room, else left of it, below or above; always on the screen. */
export function HoverCard({ x, y, radius = 4, children }: Anchor & { children: ComponentChildren }) {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = card.current!;
    const [width, height] = [element.offsetWidth, element.offsetHeight];
    const place = element.offsetParent!.getBoundingClientRect();
    const reach = radius + GAP_PX;
    const within = (at: number, size: number, start: number, screen: number) =>
      Math.max(EDGE_PX - start, Math.min(screen - start - size - EDGE_PX, at));
    const beside = [x + reach, x - reach - width].find(
      left =>
        left >= Math.min(0, EDGE_PX - place.left) && left + width <= Math.min(place.width, innerWidth - place.left),
    );
    const below = place.top + y + reach + height < innerHeight - EDGE_PX;
    const left = beside ?? within(x - width / 2, width, place.left, innerWidth);
    const top =
      beside !== undefined
        ? within(y - height / 2, height, place.top, innerHeight)
        : below
          ? y + reach
          : y - reach - height;
    element.style.setProperty('--x', `${Math.round(left)}px`);
    element.style.setProperty('--y', `${Math.round(top)}px`);
  });
  return (
    <div class="tooltip" role="tooltip" ref={card}>
      {children}
    </div>
  );
}
