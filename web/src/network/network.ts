// The open network, if any: what holds for all of it, and how it is read.
import { computed } from '@preact/signals';
import type { NetworkChoices, NetworkDimension, NetworkFacts } from '../../../wasm/session';
import { unanswered } from '../core/computing';
import { settings } from '../core/settings';
import { opened, resizing, source } from '../sources/opened';
import { resizeNetwork } from './resize';

/** What the core says of the open network; null: the source is none. */
export const network = computed(() => opened.value?.network ?? null);

/** Whether the open network has measured times; its sizes are then those of the run. */
export const isMeasured = computed(() => opened.value?.lacking !== 'times' && opened.value?.ops !== 0);

/** How the open network is read. */
export const networkChoices = (from = source.value): NetworkChoices =>
  (from && 'file' in from && from.as?.network) || {};
/** Whether its file leaves lengths open. */
export const hasDimensions = computed(() => (network.value?.dimensions.length ?? 0) > 0);

/// The latest choices, even if the core has not answered yet.
const choices = (): NetworkChoices => resizing.peek() ?? networkChoices(source.peek());

/** The length of a dimension that was asked for last, even if the core has not answered yet. */
export function lengthOf({ name, value }: NetworkDimension) {
  const asked = resizing.value?.dimensions?.[name];
  return typeof asked === 'number' ? asked : value;
}

/** Sets a dimension; undefined: back to the usual length. */
export function setDimension(name: string, length: number | undefined) {
  const { [name]: _, ...others } = choices().dimensions ?? {};
  const dimensions = length === undefined ? others : { ...others, [name]: length };
  void resizeNetwork({ ...choices(), dimensions });
}

/** The chosen tool chain; '': the machine's default. */
export function chosenToolChain(): string {
  const { fold } = choices();
  if (typeof fold === 'string') return fold;
  return fold === undefined ? '' : fold ? (network.value?.tool_chain ?? '') : 'none';
}

/** Merges operations as a tool chain does; '': the machine's default. */
export function setToolChain(id: string) {
  const { fold: _, ...others } = choices();
  void resizeNetwork(id ? { ...others, fold: id } : others);
}

/**
 * Reads the open network again when another machine is chosen: its compiler may merge other operations, and its chip may hold other
 * tensors. Until the core answers, the page shows that it is computing, because the headline is of the old machine.
 */
export function followMachine() {
  let last = settings.peek().machine;
  settings.subscribe(({ machine: now }) => {
    if (now === last) return;
    last = now;
    if (network.peek() && !isMeasured.peek()) void unanswered.follow(resizeNetwork(choices()));
  });
}

/** "batch 1, sequence ?, fused: vela": the open network at a glance. */
export const atAGlance = ({ dimensions, tool_chain: by }: NetworkFacts) =>
  [...dimensions.map(({ name, value }) => `${name} ${value ?? '?'}`), ...(by === 'none' ? [] : [`fused: ${by}`])].join(
    ', ',
  );
