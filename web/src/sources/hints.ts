// A hint for files that could be read but contain too little.
import type { OpenedJson, SummaryJson } from '../../../wasm/session';

const isTrace = ({ format }: OpenedJson) => /pytorch/i.test(format);

/** The message on a file without operations. `why`: the core's first remark on it. */
export const noOperations = (opened: OpenedJson, why = 'the file holds no operations') =>
  isTrace(opened)
    ? 'The trace has no kernels. Record it with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] and record_shapes=True.'
    : `${why}. Expected at least one operation, with its shape, its FLOPs and bytes, or its time.`;

/** The text of the notice; '': none needed. */
export function hintFor(opened: OpenedJson, { flops }: SummaryJson): string {
  if (opened.ops === 0) return noOperations(opened);
  if (isTrace(opened) && flops === null)
    return 'The trace has no shapes, so only times are known. Record it with record_shapes=True.';
  return '';
}
