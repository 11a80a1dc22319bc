// The legend above the roofline: what the colours and shapes mean, and which roofs are drawn.
import { VIEW_DEFAULTS } from '../protocol';
import type { RoofJson, SymbolName } from '../../../wasm/session';
import { count, rate, si, unitsFor } from '../format';
import { readPalette } from '../plot/palette';
import { COLOURINGS, coloursOf, legendOf, type Colouring } from './colouring';
import { colouring } from './picture';
import { isShown } from './roofs';
import { colourRows } from './colour_rows';
import { panelFrame, units } from '../core/engine';
import { opened } from '../sources/opened';
import { seriesNames, typeCounts } from '../table/filters';
import { measuredPoints } from '../model/model';
import { shade } from '../core/theme';
import { changeTable, changeView, viewState } from '../core/view';
import { Marker } from '../widgets/Marker';
import { Menu } from '../widgets/Menu';
import { Select } from '../widgets/Select';

/** The legend. */
export function Legend() {
  const json = panelFrame.value?.json;
  if (!json) return null;
  return (
    <section class="legend" aria-label="Legend">
      <Series />
      <ColourChoice />
      <Colours />
      <Shapes />
      <Roofs roofs={json.roofs} />
      <Coverage />
    </section>
  );
}

/** Chooses what the colours mean, if there is a choice. */
function ColourChoice() {
  const { steps = [], kinds = [] } = opened.value ?? {};
  const json = panelFrame.value!.json;
  if (seriesNames() || json.all.ops < 2) return null;
  const applies: Partial<Record<Colouring, boolean>> = {
    lost: (json.all.lost_time_s ?? 0) > 0 && !json.ran_elsewhere,
    status: !json.ran_elsewhere,
    step: steps.filter(Boolean).length > 1,
    category: new Set(kinds.map(({ category }) => category)).size > 1,
  };
  const choices = Object.entries(COLOURINGS).filter(([id]) => applies[id as Colouring] ?? true);
  return (
    <label class="colour-choice">
      Colour{' '}
      <Select
        label="Colour by"
        value={colouring() as string}
        options={choices}
        onChange={colour => changeView({ colour: colour === 'limit' ? undefined : colour })}
      />
    </label>
  );
}

/** The colours and marks and their meaning. */
function Colours() {
  void shade.value;
  const [frame, palette] = [panelFrame.value!, readPalette()];
  const colours = coloursOf(colouring(), frame, colourRows.value, palette);
  return (
    <ul aria-label="Colours">
      {legendOf(colours, frame, measuredPoints.value.length, palette).map(({ text, colour, sample }) => (
        <li key={text} class="colour" style={{ '--colour': colour }}>
          <span class={sample === 'dot' || sample === 'target' ? sample : `dot ${sample}`} /> {text}
        </li>
      ))}
    </ul>
  );
}

const SERIES = ['Total', 'Total (HW)', 'Average'];
const LABELS: Record<string, string> = { 'Total (HW)': 'Total (hardware counters)' };
const MARKERS: Record<string, SymbolName> = { Total: 'star', 'Total (HW)': 'x', Average: 'diamond' };

/** The program's points, each with its marker. A click hides or shows one of them, or all steps. */
function Series() {
  const names = seriesNames();
  if (!names) return null;
  const only = viewState.value.steps;
  const single = names.filter(name => !SERIES.includes(name));
  const shownOf = (group: string[]) => !only || group.some(name => only.includes(name));
  const toggle = (group: string[], alone: boolean) => {
    const now = only ?? names;
    const next = alone ? group : shownOf(group) ? now.filter(name => !group.includes(name)) : [...now, ...group];
    changeTable({ steps: names.every(name => next.includes(name)) ? undefined : next });
  };
  const entry = (label: string, group: string[]) => (
    <li key={label}>
      <button
        type="button"
        class="ghost"
        aria-pressed={shownOf(group)}
        title="Shift-click: only this"
        onClick={event => toggle(group, event.shiftKey)}
      >
        <Marker symbol={MARKERS[group[0]!] ?? 'circle'} />
        {label}
      </button>
    </li>
  );
  return (
    <ul class="series" aria-label="Series">
      {SERIES.filter(name => names.includes(name)).map(name => entry(LABELS[name] ?? name, [name]))}
      {single.length > 0 &&
        entry(single.length === 1 ? `Step ${single[0]}` : `Steps (${count(single.length)})`, single)}
    </ul>
  );
}

/** Which marker is which kind of operation. */
function Shapes() {
  if (seriesNames()) return null;
  const kinds = new Map<SymbolName, string[]>();
  for (const { type, symbol } of typeCounts()) kinds.set(symbol, [...(kinds.get(symbol) ?? []), type]);
  if (kinds.size < 2) return null;
  return (
    <Menu label="Shapes">
      {() => (
        <ul aria-label="Shapes">
          {[...kinds].map(([symbol, types]) => (
            <li key={symbol} title={types.join(', ')}>
              <Marker symbol={symbol} /> {types.slice(0, MOST_KINDS).join(', ')}
              {types.length > MOST_KINDS && ` and ${types.length - MOST_KINDS} more`}
            </li>
          ))}
        </ul>
      )}
    </Menu>
  );
}
const MOST_KINDS = 3;

/** Which roofs are drawn. */
function Roofs({ roofs }: { roofs: RoofJson[] }) {
  const switched = viewState.value.roofs ?? [];
  const own = roofs.filter(({ whatif, achievable }) => !whatif && !achievable);
  const shown = own.filter(roof => isShown(roof, switched));
  if (own.length < 2) return null;
  const toggle = (name: string) =>
    changeView({ roofs: switched.includes(name) ? switched.filter(other => other !== name) : [...switched, name] });
  return (
    <Menu label={shown.length < own.length ? `${shown.length} of ${own.length} roofs` : 'Roofs'}>
      {() => (
        <ul class="roofs">
          {own.map(roof => (
            <li key={roof.name}>
              <label>
                <input type="checkbox" checked={shown.includes(roof)} onChange={() => toggle(roof.name)} /> {roof.name}{' '}
                <span class="muted">
                  {roof.kind === 'compute'
                    ? rate(roof.rate, unitsFor(units.value, roof.integer))
                    : si(roof.rate, 'B/s')}
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </Menu>
  );
}

const STANDARD = VIEW_DEFAULTS.top;
const FEW = 100; // up to this many operations all are drawn as points
const TOPS = [10, 30, 100, 300, STANDARD, 3000, 10000];

/** How many operations are points; the rest are density. */
function Coverage() {
  const { json } = panelFrame.value!;
  const ops = json.shown.ops;
  const top = viewState.value.top ?? STANDARD;
  if ((ops <= FEW && top === STANDARD) || seriesNames()) return null;
  return (
    <p class="muted">
      <label>
        Top{' '}
        <Select
          label="Points on the chart"
          value={top}
          options={[...new Set([...TOPS, top])].sort((a, b) => a - b).map(k => [k, count(k)] as const)}
          onChange={k => changeView({ top: k === STANDARD ? undefined : k })}
        />{' '}
        by time
      </label>
      {json.density.ops > 0 && ` of ${count(ops)}; the rest as density`}
    </p>
  );
}
