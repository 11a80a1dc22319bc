// Asks quantize.wasm about language models, and network.wasm about a network: plans of formats, and models shared with a host.
import type { Fault } from '../../../wasm/session';
import { ggufErrors } from './gguf';
import type { Answer, InputFile } from './messages';
import { networkPlan } from './network';
import { onDemand } from './on_demand';

interface QuantizeCalls {
  ask(questionSize: number, settingsSize: number): void;
}

type Reply = Answer<unknown> | { error: Fault };

const module = onDemand<QuantizeCalls>('quantize.wasm');

/// The answer to "plan" or "offload" under the given settings. A plan takes the tensors' own errors, if the model is from an open GGUF file.
export const askQuantize = (settings: string, question: string, request: object): Promise<Reply> =>
  replyOf(async () => {
    const { model } = (request as { request: { model: unknown } }).request;
    const own = question === 'plan' && { own_errors: await ggufErrors(model) };
    const running = await module();
    const [name, config, asked] = [question, settings, JSON.stringify({ ...request, ...own })].map(text =>
      new TextEncoder().encode(text),
    ) as [Uint8Array, Uint8Array, Uint8Array];
    running.put(name, config, asked);
    running.exports.ask(name.length, config.length);
    return running.json();
  });

/// A plan for the network in a file; null: none is open.
export const askNetwork = (settings: string, file: InputFile | null, request: object): Promise<Reply> =>
  replyOf(() => {
    if (!file) throw { message: 'A plan is made for a network without a profile: open its file alone', path: '' };
    return networkPlan(file, settings, request);
  });

/// The core's faults are answers; other errors are thrown.
async function replyOf(ask: () => Promise<unknown>): Promise<Reply> {
  try {
    return { json: await ask(), columns: {} };
  } catch (error) {
    if (error instanceof Error) throw error;
    return { error: error as Fault };
  }
}
