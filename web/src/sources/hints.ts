// A hint for files that could be read but contain too little.
import type { OpenedJson, SummaryJson } from '../../../wasm/session';

/** The text of the notice; '': none needed. */
export function hintFor({ format, ops }: OpenedJson, { flops }: SummaryJson): string {
  const trace = /pytorch/i.test(format);
  if (ops === 0)
    return trace
      ? 'The trace has no kernels. Record it with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] and record_shapes=True.'
      : 'The file holds no operations.';
  if (trace && flops === null)
    return 'The trace has no shapes, so only times are known. Record it with record_shapes=True.';
  return '';
}
