// The roofline of the current state for exported pictures, with a legend.
import { SYMBOLS, type SymbolName } from '../protocol';
import { colourRows } from './colour_rows';
import { arrows } from '../compare/comparison';
import { chartFrame, units, type Frame } from '../core/engine';
import { opened } from '../sources/opened';
import { seriesNames } from '../table/filters';
import { formatLabel, operator } from '../operator/operator';
import { measuredPoints } from '../model/model';
import { selected, viewState } from '../core/view';
import { chartWindow } from './window';
import { drawLegend, legendHeight, type LegendEntry } from '../plot/legend';
import type { Palette } from '../plot/palette';
import type { Surface } from '../plot/surface';
import { withSizesForEqualNames } from '../table/with_sizes';
import { COLOURINGS, coloursOf, legendOf, type Colouring, type Rows } from './colouring';
import { drawScene, type Scene } from './draw';

/** What the colours mean. */
export const colouring = (): Colouring => {
  const { colour = 'limit' } = viewState.value;
  return colour in COLOURINGS ? (colour as Colouring) : 'limit';
};

/** The scene of the current state, an operator's formats named; null before the first frame. Subscribes to no signal. */
export function sceneNow(palette: Palette): Omit<Scene, 'hovered'> | null {
  const frame = chartFrame.peek();
  return (
    frame && {
      frame,
      window: chartWindow.peek(),
      units: units.peek(),
      switched: viewState.peek().roofs ?? [],
      arrows: arrows.peek(),
      series: seriesNames(),
      measured: measuredPoints.peek(),
      colours: coloursOf(colouring(), frame, colourRows.peek(), palette),
      selected: selected.peek(),
      labelled: opened.peek()?.format === 'operator' ? operator.peek()?.formats.map(formatLabel) : undefined,
    }
  );
}

const LABELLED = 5;

/** The roofline as a picture: with names at the points with most time above the bound, and the legend below. */
export function drawRoofline(surface: Surface, rows: Rows) {
  const scene = sceneNow(surface.palette);
  if (!scene) return;
  const { width, height, palette } = surface;
  const named = withSizesForEqualNames([...rows.values()]);
  const names = new Map(named.map(({ index, name }) => [index, name]));
  const worst = named.filter(({ lost_time_s }) => lost_time_s).sort((a, b) => b.lost_time_s! - a.lost_time_s!);
  const labelled =
    scene.labelled ?? Object.fromEntries(worst.slice(0, LABELLED).map(({ index, name }) => [index, name]));
  const entries: LegendEntry[] = [
    ...legendOf(scene.colours, scene.frame, scene.measured?.length ?? 0, palette),
    ...kinds(scene.frame).map(([symbol, text]) => ({ text, colour: palette.muted, sample: symbol })),
  ];
  const footer = legendHeight(surface, entries, 12) + 8;
  surface.part(
    { left: 0, top: 0, right: width, bottom: height - footer },
    part => void drawScene(part, { ...scene, hovered: null, names, labelled }),
  );
  drawLegend(surface, entries, 12, height - footer + 10, 'across');
}

/** The marker shapes in use and the categories they stand for. */
function kinds({ symbol }: Frame): [SymbolName, string][] {
  const shown = new Set(Array.from(symbol, at => SYMBOLS[at]!));
  return [...shown].flatMap((name): [SymbolName, string][] => {
    const categories = new Set(opened.value?.kinds.filter(kind => kind.symbol === name).map(kind => kind.category));
    return categories.size ? [[name, [...categories].slice(0, 3).join(', ')]] : [];
  });
}
