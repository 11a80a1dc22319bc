// Whether a pointer is down (a drag may be under way), and whether this device can drop files.
import { signal } from '@preact/signals';

export const held = signal(false);
for (const type of ['pointerdown', 'pointerup', 'pointercancel', 'drop'] as const)
  addEventListener(type, () => (held.value = type === 'pointerdown'), { capture: true });

/** Whether files can be dropped: a device that is only touched has no pointer to drag them. */
export const canDrop = !matchMedia('(hover: none)').matches;
