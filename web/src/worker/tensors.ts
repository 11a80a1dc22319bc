// Files of tensors: their list, and how accurately formats hold one of them. quantize.wasm reads them.
import type { AccuracyJson, Fault, TensorInfo, TensorList } from '../../../wasm/session';
import { PACKED_START, TENSOR_START } from '../protocol';
import type { InputFile } from './messages';
import { checkSize, fault } from './module';
import { canLoad } from './on_demand';
import { inflated } from './plain';
import { quantizeModule } from './quantize';

/// A .npy file, an archive such as .npz, or safetensors: the length of a header in JSON in eight bytes, and its first brace.
const MAGIC = /^(\x93NUMPY|PK\x03\x04|[\s\S]{4}\0{4}\{)/;

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());

/// Lists the tensors of a file from its header; null: not a tensor file. Only what may be one fetches the module.
export async function tensorsOf({ name, blob }: InputFile): Promise<TensorInfo[] | null> {
  const start = String.fromCharCode(...(await bytesOf(blob.slice(0, TENSOR_START))));
  if (!MAGIC.test(start) || !canLoad()) return null;
  const module = await quantizeModule();
  const name8 = new TextEncoder().encode(name);
  for (let bytes = TENSOR_START; ; ) {
    checkSize(Math.min(bytes, blob.size));
    module.put(name8, await bytesOf(blob.slice(0, bytes)));
    module.exports.open_tensors(name8.length, blob.size);
    const { header_bytes, tensors } = module.json() as TensorList;
    if (tensors) return withPackedHeaders(blob, tensors);
    if (!header_bytes) return null;
    bytes = header_bytes;
  }
}

/// Completes the packed tensors of a list from their own headers.
async function withPackedHeaders(blob: Blob, list: TensorInfo[]) {
  const module = await quantizeModule();
  for (const [i, tensor] of list.entries()) {
    if (!tensor.packed) continue;
    module.put(await bytesOf(await unpacked(blob, tensor, PACKED_START)));
    module.exports.unpack_tensor(i);
    list[i] = (module.json() as TensorList).tensors![0]!;
  }
  return list;
}

/// The first `most` bytes of a packed tensor.
async function unpacked(blob: Blob, { name, packed }: TensorInfo, most: number) {
  try {
    checkSize(Math.min(packed!.size, most));
    return await inflated(blob, packed!, most);
  } catch (error) {
    throw { ...fault(error), path: name };
  }
}

/// The accuracy of each format for a tensor of the file that was listed last.
export async function accuracy({ blob }: InputFile, tensor: TensorInfo): Promise<AccuracyJson | { error: Fault }> {
  try {
    const { name, offset, bytes, packed } = tensor;
    checkSize(bytes);
    const data = packed ? await unpacked(blob, tensor, packed.size) : blob;
    const module = await quantizeModule();
    const name8 = new TextEncoder().encode(name);
    module.put(name8, await bytesOf(data.slice(offset, offset + bytes)));
    module.exports.tensor_accuracy(name8.length);
    return module.json() as AccuracyJson;
  } catch (error) {
    return { error: fault(error) };
  }
}
