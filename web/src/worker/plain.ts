// Input bytes as plain UTF-8 without a byte order mark, so that offsets into them are offsets into what the core reads.

import type { PackedPart } from '../../../wasm/session';

type Bytes = ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;

export async function plain(blob: Blob, onBytes: (done: number) => void): Promise<Blob> {
  blob = await unzipped(blob, onBytes);
  if (await startsWith(blob, 0xff, 0xfe)) return recoded(blob, 'utf-16le');
  if (await startsWith(blob, 0xfe, 0xff)) return recoded(blob, 'utf-16be');
  if (await startsWith(blob, 0xef, 0xbb, 0xbf)) return blob.slice(3);
  return blob;
}

/// The content of a gzip file; any other file unchanged.
export const unzipped = async (blob: Blob, onBytes: (done: number) => void) =>
  (await startsWith(blob, 0x1f, 0x8b)) ? unpacked(blob, onBytes) : blob;

const GZIP_START = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/// The first `most` bytes of a deflated part of an archive. Framed as gzip, so that length and checksum of the whole part are checked.
export async function inflated(blob: Blob, { offset, bytes, size, crc }: PackedPart, most: number): Promise<Blob> {
  const end = new DataView(new ArrayBuffer(8));
  end.setUint32(0, crc, true);
  end.setUint32(4, size, true);
  const gzip = new Blob([GZIP_START, blob.slice(offset, offset + bytes), end]);
  const reader = gzip
    .stream()
    .pipeThrough(new DecompressionStream('gzip') as Bytes)
    .getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  try {
    for (let length = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return new Blob(parts);
      parts.push(value);
      length += value.length;
      if (length > size) throw new TypeError();
      if (length >= most && most < size) return new Blob(parts).slice(0, most);
    }
  } catch (error) {
    if (error instanceof TypeError)
      throw new Error(`cannot be unpacked: expected the ${size} bytes that the archive states`);
    throw error;
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function startsWith(blob: Blob, ...magic: number[]) {
  const head = new Uint8Array(await blob.slice(0, magic.length).arrayBuffer());
  return head.length === magic.length && magic.every((byte, i) => head[i] === byte);
}

async function unpacked(blob: Blob, onBytes: (done: number) => void) {
  let done = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      onBytes((done += chunk.length));
      controller.enqueue(chunk);
    },
  });
  const stream = blob
    .stream()
    .pipeThrough(counter)
    .pipeThrough(new DecompressionStream('gzip') as Bytes);
  try {
    return await new Response(stream).blob();
  } catch (error) {
    if (error instanceof TypeError) throw new Error('corrupt gzip data: expected a complete gzip file');
    throw error;
  }
}

function recoded(blob: Blob, encoding: string) {
  const decoder = new TextDecoderStream(encoding) as unknown as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>;
  return new Response(blob.stream().pipeThrough(decoder).pipeThrough(new TextEncoderStream())).blob();
}
