// A hint for files that could be read but contain too little.
import type { NetworkFacts, OpenedJson, SummaryJson } from '../../../wasm/session';
import { count } from '../format';

const MOST_TYPES = 5;

const isTrace = ({ format }: OpenedJson) => /pytorch/i.test(format);

/** Whether nothing can be shown of a file. A network without a node that can be counted still has weights, and lengths to set. */
export const isEmpty = ({ ops, network }: OpenedJson) => ops === 0 && !(network && network.nodes > 0);

/** The message on a file without operations. `why`: the core's first remark on it. */
export const noOperations = (opened: OpenedJson, why = 'the file holds no operations') =>
  opened.network
    ? `The ${opened.network.format} model has no nodes: it is empty, cut off or damaged.`
    : isTrace(opened)
      ? 'The trace has no kernels. Record it with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] and record_shapes=True.'
      : `${why}. Expected at least one operation, with its shape, its FLOPs and bytes, or its time.`;

/** Why no node of a network is an operation, and the lengths to set. */
function noneCounted({ format, dimensions, not_counted: missed }: NetworkFacts) {
  if (missed.length === 0)
    return `The ${format} model has only constants and views of tensors: no node of it takes time.`;
  const list = missed
    .slice(0, MOST_TYPES)
    .map(({ type, nodes: equal, reason }) => `${count(equal)} ${type} (${reason})`);
  const more = missed.length > MOST_TYPES ? ` and ${count(missed.length - MOST_TYPES)} more types` : '';
  const open = dimensions.filter(({ value, decided_by_data }) => value === null && !decided_by_data);
  const set = open.length > 0 ? ` Set ${open.map(({ name }) => name).join(', ')}.` : '';
  return `No node of the ${format} model can be counted: ${list.join(', ')}${more}.${set}`;
}

/** The text of the notice; '': none needed. */
export function hintFor(opened: OpenedJson, { flops }: SummaryJson): string {
  if (opened.ops === 0) return opened.network && !isEmpty(opened) ? noneCounted(opened.network) : noOperations(opened);
  if (isTrace(opened) && flops === null)
    return 'The trace has no shapes, so only times are known. Record it with record_shapes=True.';
  return '';
}
