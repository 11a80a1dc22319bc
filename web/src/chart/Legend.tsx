// What the colours mean; a click on a status hides or shows it, on a roof likewise. The markers stand beside the types in the filters.
import { useState } from 'preact/hooks';
import type { RoofJson, StatusName } from '../../../wasm/session';
import { count, rate, si } from '../format';
import { frame, units } from '../state/engine';
import { toggleStatus } from '../state/filters';
import { legendFolded } from '../state/layout';
import { measuredPoints } from '../state/model';
import { look, viewState } from '../state/view';
import { Icon } from '../widgets/Icon';
import { statusColour, statusLabel } from '../widgets/Marker';
import { shown } from './roofs';

export function Legend() {
  const json = frame.value?.json;
  if (!json) return null;
  const folded = legendFolded.value;
  return (
    <section class="legend" aria-label="Legend">
      <button type="button" class="ghost legend-fold" aria-expanded={!folded} onClick={() => (legendFolded.value = !folded)}>
        Legend <Icon name="down" />
      </button>
      {!folded && (
        <>
          <Statuses />
          <Roofs roofs={json.roofs} />
          <Coverage />
        </>
      )}
    </section>
  );
}

function Statuses() {
  const { statuses, all } = frame.value!.json;
  const only = viewState.value.statuses;
  return (
    <ul>
      {statuses.filter(status => all.by_status[status]).map(status => (
        <li key={status}>
          <button type="button" class="ghost" aria-pressed={!only || only.includes(status)} style={statusColour(status)} onClick={event => toggleStatus(status, event.shiftKey)}>
            <span class={`dot ${status === 'predicted' ? 'hollow' : ''}`} /> {statusLabel(status)}
          </button>
        </li>
      ))}
      {measuredPoints.value.length > 0 && <li class="legend-measured"><span class="target" /> measured</li>}
    </ul>
  );
}

function Roofs({ roofs }: { roofs: RoofJson[] }) {
  const [open, setOpen] = useState(false);
  const switched = viewState.value.roofs ?? [];
  const own = roofs.filter(({ whatif, achievable }) => !whatif && !achievable);
  const more = own.filter(({ in_play }) => !in_play).length;
  if (more === 0 && own.length < 2) return null;
  const toggle = (name: string) => look({ roofs: switched.includes(name) ? switched.filter(other => other !== name) : [...switched, name] });
  return (
    <div>
      <button type="button" class="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>{own.length - more} of {own.length} roofs <Icon name="down" /></button>
      {open && (
        <ul class="roofs">
          {own.map(roof => (
            <li key={roof.name}>
              <label>
                <input type="checkbox" checked={shown(roof, switched)} onChange={() => toggle(roof.name)} /> {roof.name}{' '}
                <span class="muted">{roof.kind === 'compute' ? rate(roof.rate, units.value) : si(roof.rate, 'B/s')}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Coverage() {
  const { points, json } = frame.value!;
  if (json.density.ops === 0) return null;
  return <p class="muted">top {count(points.length)} of {count(json.shown.ops)} by time; the rest as density</p>;
}

export const legendEntries = (): [StatusName, number][] => {
  const { statuses, shown: { by_status } } = frame.value!.json;
  return statuses.flatMap(status => (by_status[status] ? [[status, by_status[status]] as [StatusName, number]] : []));
};
