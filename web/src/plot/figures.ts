// The drawings that are on the page, each with the element that shows it, so that a picture of a view has the same ones in the same order.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Palette } from './palette';
import type { Surface } from './surface';

export type Draw = (surface: Surface) => void;
/** Gets ready what is to be drawn at a size: names may have to be asked for, a library may have to draw. */
type Prepare = (width: number, height: number, palette: Palette) => Draw | Promise<Draw>;

const figures = new Map<Element, Prepare>();

/** Makes what an element shows part of pictures, as long as it is there. */
export function useFigure(element: RefObject<Element>, prepare: Prepare) {
  const newest = useRef(prepare);
  newest.current = prepare;
  useEffect(() => {
    const own = element.current!;
    figures.set(own, (...args) => newest.current(...args));
    return () => void figures.delete(own);
  }, []);
}

/** What an element shows as a drawing. */
export const figureOf = (element: Element) => figures.get(element);
