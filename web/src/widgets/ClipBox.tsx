// A scrolled box that fades at the edge beyond which its content continues (style.css).
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A scrolled box for a wide table. */
export function ClipBox({
  class: kind,
  label,
  children,
}: { class: string; label?: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useClipCue(box);
  return (
    <div class={kind} ref={box} tabIndex={0} role={label ? 'region' : undefined} aria-label={label}>
      <p class="clip-cue" aria-hidden="true">
        More columns ›
      </p>
      {children}
    </div>
  );
}

/** Sets data-clipped of a box to "left", "right" or "left right". No "right" while at most half of the last column is hidden. */
export function useClipCue(box: RefObject<HTMLElement>) {
  useEffect(() => {
    const element = box.current!;
    const mark = () => {
      const { scrollLeft, scrollWidth, clientWidth, offsetWidth } = element;
      const column = element.querySelector<HTMLElement>('tr > :last-child')?.offsetWidth ?? 0; // up to half of it may be hidden without a cue
      const beyond = scrollWidth - clientWidth - scrollLeft;
      const sides = [scrollLeft > 1 && 'left', beyond > Math.max(1, column / 2) && 'right'].filter(Boolean);
      element.toggleAttribute('data-clipped', sides.length > 0);
      if (sides.length > 0) element.dataset.clipped = sides.join(' ');
      element.style.setProperty('--scrollbar', `${offsetWidth - clientWidth}px`);
    };
    const sizes = new ResizeObserver(mark);
    const watch = () => {
      for (const part of [element, ...element.children]) sizes.observe(part);
    };
    const parts = new MutationObserver(watch);
    parts.observe(element, { childList: true });
    element.addEventListener('scroll', mark, { passive: true });
    watch();
    return () => {
      sizes.disconnect();
      parts.disconnect();
      element.removeEventListener('scroll', mark);
    };
  }, []);
}
