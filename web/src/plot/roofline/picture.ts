// The roofline of what is open now, with the legend that the page shows over it.
import { colourRows } from '../../state/colouring';
import { arrows } from '../../state/compare';
import { chartFrame, units } from '../../state/engine';
import { seriesNames } from '../../state/filters';
import { measuredPoints } from '../../state/model';
import { selected, viewState } from '../../state/view';
import { chartWindow } from '../../state/window';
import { drawLegend, type LegendEntry } from '../legend';
import type { Palette } from '../palette';
import type { Surface } from '../surface';
import { COLOURINGS, coloursOf, type Colouring } from './colouring';
import { drawScene, type Scene } from './draw';

/** What the colours tell. */
export const colouring = (): Colouring => {
  const { colour = 'status' } = viewState.value;
  return colour in COLOURINGS ? (colour as Colouring) : 'status';
};

/** The scene of the page's state; nothing before the first frame. It subscribes to nothing. */
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
    }
  );
}

const FOOTER = 32;

/** The roofline and below it what its colours mean. */
export function drawRoofline(surface: Surface, names: ReadonlyMap<number, string>) {
  const scene = sceneNow(surface.palette);
  if (!scene) return;
  const { width, height, palette } = surface;
  surface.part(
    { left: 0, top: 0, right: width, bottom: height - FOOTER },
    part => void drawScene(part, { ...scene, hovered: null, names }),
  );
  const entries: LegendEntry[] = scene.colours.legend.map(entry => ({ ...entry, sample: 'dot' }));
  if (scene.measured?.length) entries.push({ text: 'measured', colour: palette.ink, sample: 'target' });
  drawLegend(surface, entries, 12, height - FOOTER + 12, 'across');
}
