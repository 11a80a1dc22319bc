// A hint for files that could be read but contain too little.
import type { NetworkFacts, OpenedJson, SummaryJson } from '../../../wasm/session';
import { count } from '../format';

const MOST_TYPES = 5;

const isTrace = ({ format }: OpenedJson) => /pytorch/i.test(format);

/** The message on a file without operations. `why`: the core's first remark on it. */
export const noOperations = (opened: OpenedJson, why = 'the file holds no operations') =>
  opened.network
    ? noNodes(opened.network)
    : isTrace(opened)
      ? 'The trace has no kernels. Record it with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] and record_shapes=True.'
      : `${why}. Expected at least one operation, with its shape, its FLOPs and bytes, or its time.`;

/** Likewise on a network. */
function noNodes({ format, nodes, not_counted: missed }: NetworkFacts) {
  if (nodes === 0) return `The ${format} model has no nodes: it is empty, cut off or damaged.`;
  if (missed.length === 0)
    return `The ${format} model has only constants and views of tensors: no node of it takes time.`;
  const list = missed
    .slice(0, MOST_TYPES)
    .map(({ type, nodes: equal, reason }) => `${count(equal)} ${type} (${reason})`);
  const more = missed.length > MOST_TYPES ? ` and ${count(missed.length - MOST_TYPES)} more types` : '';
  return `The ${format} model has no node that can be counted: ${list.join(', ')}${more}.`;
}

/** The text of the notice; '': none needed. */
export function hintFor(opened: OpenedJson, { flops }: SummaryJson): string {
  if (opened.ops === 0) return noOperations(opened);
  if (isTrace(opened) && flops === null)
    return 'The trace has no shapes, so only times are known. Record it with record_shapes=True.';
  return '';
}
