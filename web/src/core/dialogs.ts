// Which dialogs are open.
import { signal } from '@preact/signals';

export const pictureOpen = signal(false);
export const helpOpen = signal(false);
export const paletteOpen = signal(false);
