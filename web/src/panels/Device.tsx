// The device as the profile states it, whatever machine is chosen to judge it by.
import { opened } from '../state/files';
import { viewState } from '../state/view';

/** What a profile says of its device. */
export function Device() {
  const { device = [] } = opened.value ?? {};
  if (device.length === 0) return null;
  return (
    <section aria-labelledby="device-title">
      <details open={viewState.value.level === 'program'}>
        <summary id="device-title">Device of the profile</summary>
        <dl class="facts device">
          {device.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}
