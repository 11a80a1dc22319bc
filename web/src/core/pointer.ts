// Whether a pointer is down: what is dragged is not done yet.
import { signal } from '@preact/signals';

export const held = signal(false);
for (const type of ['pointerdown', 'pointerup', 'pointercancel', 'drop'] as const)
  addEventListener(type, () => (held.value = type === 'pointerdown'), { capture: true });
