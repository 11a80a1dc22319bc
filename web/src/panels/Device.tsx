// The device as the profile states it, whatever machine is chosen to judge it by.
import { opened } from '../state/files';

export function Device() {
  const { device = [] } = opened.value ?? {};
  if (device.length === 0) return null;
  return (
    <section aria-labelledby="device-title">
      <h2 id="device-title">Device of the profile</h2>
      <dl class="facts device">{device.map(([name, text]) => <div key={name}><dt>{name}</dt><dd>{text}</dd></div>)}</dl>
    </section>
  );
}
