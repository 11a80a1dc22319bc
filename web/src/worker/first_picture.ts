// The first picture: the frame that the page shows before its core is loaded. The build makes it with the same core (worker/picture.ts) and
// puts it into main.js, so it equals the core's answer for the first sample bit for bit.
import type { FrameReply, Opened } from './messages';
import type { Entry } from '../core/catalogue';
import type { MachineEntry } from '../core/machine_entry';
import type { Sample } from '../sources/opened';

export interface Picture {
  samples: Sample[]; // the first of them is open
  text: string; // its file
  opened: Opened;
  selected: number | null;
  reply: FrameReply;
  machines: MachineEntry[];
  formats: Entry[];
}

const COLUMNS = { Float32Array, Uint32Array, Uint8Array };
interface Packed {
  column: keyof typeof COLUMNS;
  base64: string;
}

/** As JSON, columns as their bytes. */
export const pack = (picture: Picture) =>
  JSON.stringify(picture, (_, value: unknown) => {
    if (!ArrayBuffer.isView(value)) return value;
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return { column: value.constructor.name, base64: btoa(String.fromCharCode(...bytes)) };
  });

/** What pack() was given. */
export const unpack = (text: string) =>
  JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('column' in value)) return value;
    const { column, base64 } = value as Packed;
    return new COLUMNS[column](Uint8Array.from(atob(base64), c => c.charCodeAt(0)).buffer);
  }) as Picture;
