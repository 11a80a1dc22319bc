// Reads the operations of a file piece by piece, as the file may be larger than the module's memory, and keeps the file that is open.
import type { Fault, OpenedJson, ReadOverrides } from '../../../wasm/session';
import type { InputFile, Opened, Progress } from './messages';
import { feed, session } from './module';

const PIECE_BYTES = 4 << 20;
const SLICE_MS = 40; // how long to work before letting messages (cancel, frames) through

export const cancelled = new Error('cancelled');

/// The file that is open, as plain bytes; null: the core made what is open.
export let source: InputFile | null = null;
export let openedCount = 0; // number of workloads opened; the session holds the newest
let stop = false;
let reported = 0;

export type OnProgress = (progress: Progress) => void;
export type Outcome = { error?: Fault; opened?: Opened };

/// Lets the event loop handle waiting messages.
const turn = () => new Promise<void>(resolve => setTimeout(resolve));

/// Ends an earlier cancellation, so that a new reading can start.
export function clearCancellation() {
  stop = false;
}

/// Stops the opening that is under way.
export function cancel() {
  stop = true;
}

/// Reads operations. While one piece is read the next is fetched.
export async function read(input: InputFile, as: ReadOverrides, onProgress: OnProgress): Promise<Opened> {
  const { name, blob } = input;
  const refused = JSON.parse(session.takeAs(JSON.stringify(as))) as { error?: Fault };
  if (refused.error) throw refused.error;
  session.start(name, blob.size);
  const fetch = (from: number) => {
    const bytes = blob.slice(from, from + PIECE_BYTES).arrayBuffer();
    bytes.catch(() => {}); // whoever awaits it reports the error
    return bytes;
  };
  let slice = performance.now();
  for (let at = 0, next = fetch(0); at < blob.size; at += PIECE_BYTES) {
    const bytes = new Uint8Array(await next);
    next = fetch(at + PIECE_BYTES);
    feed(name, bytes);
    if (performance.now() - slice >= SLICE_MS) {
      await turn();
      slice = performance.now();
    }
    advance(onProgress, 'reading', Math.min(at + PIECE_BYTES, blob.size), blob.size);
  }
  const { error, opened } = JSON.parse(session.finish()) as { error?: Fault; opened?: OpenedJson };
  if (!opened) throw error;
  return setOpened(opened, input);
}

/// Reports how far the work is, unless it is to stop.
export function advance(onProgress: OnProgress, stage: Progress['stage'], done: number, total: number) {
  if (stop) throw cancelled;
  if (performance.now() - reported < SLICE_MS) return;
  reported = performance.now();
  onProgress({ stage, done, total });
}

/// Records what the session holds. `from`: the file that it was read from.
export function setOpened(opened: OpenedJson, from: InputFile | null): Opened {
  source = from;
  return { ...opened, size: from?.blob.size ?? 0, reading: ++openedCount };
}

/// The open file's plain bytes, by reference.
export const sourceBlob = () => source?.blob ?? null;
