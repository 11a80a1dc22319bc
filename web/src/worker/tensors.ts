// Files of tensors: their list, and how accurately formats hold one of them.
import type { AccuracyJson, Fault, TensorInfo, TensorList } from '../../../wasm/session';
import { PACKED_START, TENSOR_START } from '../protocol';
import type { InputFile } from './messages';
import { checkSize, fault, fill, session } from './module';
import { inflated } from './plain';

/// Lists the tensors of a file from its header; null: not a tensor file.
export async function tensorsOf({ name, blob }: InputFile): Promise<TensorInfo[] | null> {
  for (let bytes = TENSOR_START; ; ) {
    await fill({ name, blob: blob.slice(0, bytes) });
    const { error, header_bytes, tensors } = JSON.parse(session.tensors(blob.size)) as TensorList;
    if (error) throw error;
    if (tensors) return withPackedHeaders({ name, blob }, tensors);
    if (!header_bytes) return null;
    bytes = header_bytes;
  }
}

/// Completes the packed tensors of a list from their own headers.
async function withPackedHeaders({ name, blob }: InputFile, list: TensorInfo[]) {
  for (const [i, tensor] of list.entries()) {
    if (!tensor.packed) continue;
    await fill({ name, blob: await unpacked(blob, tensor, PACKED_START) });
    const { error, tensors } = JSON.parse(session.unpacked(i)) as TensorList;
    if (error) throw error;
    list[i] = tensors![0]!;
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

/// The file in which a tensor's bytes are at its offset.
export const tensorData = async ({ blob }: InputFile, tensor: TensorInfo) =>
  tensor.packed ? unpacked(blob, tensor, tensor.packed.size) : blob;

/// The accuracy of each format for a tensor of the file that was listed last.
export async function accuracy(
  { name, blob }: InputFile,
  tensor: TensorInfo,
): Promise<AccuracyJson | { error: Fault }> {
  try {
    const { offset, bytes } = tensor;
    const data = await tensorData({ name, blob }, tensor);
    await fill({ name, blob: data.slice(offset, offset + bytes) });
    return JSON.parse(session.accuracy(tensor.name)) as AccuracyJson;
  } catch (error) {
    session.drop();
    return { error: fault(error) };
  }
}
