// Registers each chart with its element, so that a picture of a view has the same charts in the same order.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Palette } from './palette';
import type { Surface } from './surface';

export type Draw = (surface: Surface) => void;
/** Prepares a drawing of a size, which may need names from the core or a picture from Plotly. */
type Prepare = (width: number, height: number, palette: Palette) => Draw | Promise<Draw>;

const charts = new Map<Element, Prepare>();

/** Registers an element's drawing while the component is mounted. */
export function useExportedChart(element: RefObject<Element>, prepare: Prepare) {
  const newest = useRef(prepare);
  newest.current = prepare;
  useEffect(() => {
    const own = element.current!;
    charts.set(own, (...args) => newest.current(...args));
    return () => void charts.delete(own);
  }, []);
}

/** The registered drawing of an element; undefined: none. */
export const exportedChartOf = (element: Element) => charts.get(element);
