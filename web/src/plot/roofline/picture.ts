// The roofline of what is open now, with the legend that the page shows over it.
import type { StatusName } from '../../../../wasm/session';
import { count } from '../../format';
import { arrows } from '../../state/compare';
import { chartFrame, units } from '../../state/engine';
import { seriesNames } from '../../state/filters';
import { measuredPoints } from '../../state/model';
import { selected, viewState } from '../../state/view';
import { chartWindow } from '../../state/window';
import { drawLegend, type LegendEntry } from '../legend';
import type { Surface } from '../surface';
import { drawScene, type Scene } from './draw';

/** The scene of the page's state; nothing before the first frame. It subscribes to nothing. */
export function sceneNow(): Omit<Scene, 'hovered'> | null {
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
      selected: selected.peek(),
    }
  );
}

const FOOTER = 32;

/** The roofline and below it what its colours mean. */
export function drawRoofline(surface: Surface, names: ReadonlyMap<number, string>) {
  const scene = sceneNow();
  if (!scene) return;
  const { width, height, palette } = surface;
  surface.part(
    { left: 0, top: 0, right: width, bottom: height - FOOTER },
    part => void drawScene(part, { ...scene, hovered: null, names }),
  );
  const { statuses, shown } = scene.frame.json;
  const entries = statuses.flatMap((status: StatusName): LegendEntry[] => {
    const ops = shown.by_status[status];
    return ops
      ? [{ text: `${status.replace('-', ' ')} ${count(ops)}`, colour: palette.status[status], sample: 'dot' }]
      : [];
  });
  if (scene.measured?.length) entries.push({ text: 'measured', colour: palette.ink, sample: 'target' });
  drawLegend(surface, entries, 12, height - FOOTER + 12, 'across');
}
