// Input bytes as plain UTF-8 without a byte order mark, so that offsets into them are offsets into what the core reads.

type Bytes = ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;

export async function plain(blob: Blob, onBytes: (done: number) => void): Promise<Blob> {
  blob = await unzipped(blob, onBytes);
  if (await startsWith(blob, 0xff, 0xfe)) return recoded(blob, 'utf-16le');
  if (await startsWith(blob, 0xfe, 0xff)) return recoded(blob, 'utf-16be');
  if (await startsWith(blob, 0xef, 0xbb, 0xbf)) return blob.slice(3);
  return blob;
}

/// What is in a gzip file, of any kind; another file as it is.
export const unzipped = async (blob: Blob, onBytes: (done: number) => void) => (await startsWith(blob, 0x1f, 0x8b) ? unpacked(blob, onBytes) : blob);

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
  const stream = blob.stream().pipeThrough(counter).pipeThrough(new DecompressionStream('gzip') as Bytes);
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
