// Whether a pointer is down, that is, whether a drag may be under way.
import { signal } from '@preact/signals';

export const held = signal(false);
for (const type of ['pointerdown', 'pointerup', 'pointercancel', 'drop'] as const)
  addEventListener(type, () => (held.value = type === 'pointerdown'), { capture: true });
