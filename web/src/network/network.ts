// The open network, if any: what holds for all of it, and how it is read.
import { computed } from '@preact/signals';
import type { NetworkChoices, NetworkDimension } from '../../../wasm/session';
import { opened, resizeNetwork, resizing, source } from '../sources/files';

/** What the core says of the open network; null: the source is none. */
export const network = computed(() => opened.value?.network ?? null);

/** How the open network is read. */
export const networkChoices = (from = source.value): NetworkChoices =>
  (from && 'file' in from && from.as?.network) || {};
/** Whether its file leaves lengths open. */
export const hasDimensions = computed(() => (network.value?.dimensions.length ?? 0) > 0);

/// The newest, whether or not the core has answered for it.
const choices = (): NetworkChoices => resizing ?? networkChoices(source.peek());

/** Sets a dimension; undefined: back to the usual length. */
export function setDimension(name: string, length: number | undefined) {
  const { [name]: _, ...others } = choices().dimensions ?? {};
  const dimensions = length === undefined ? others : { ...others, [name]: length };
  void resizeNetwork({ ...choices(), dimensions });
}

/** Whether element-wise operations, norms and quantisation belong to what feeds them. */
export const setFolded = (fold: boolean) => void resizeNetwork({ ...choices(), fold });

/** "batch 1, sequence ?": the dimensions at a glance. */
export const atAGlance = (dimensions: NetworkDimension[]) =>
  dimensions.map(({ name, value }) => `${name} ${value ?? '?'}`).join(', ');
