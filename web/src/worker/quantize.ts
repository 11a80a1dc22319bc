// Asks quantize.wasm about language models, and network.wasm about a network: plans of formats, and models shared with a host.
import type { Fault } from '../../../wasm/session';
import { ggufErrors } from './gguf';
import type { Answer, InputFile } from './messages';
import { networkPlan } from './network';
import { canLoad, onDemand } from './on_demand';

interface QuantizeCalls {
  ask(questionSize: number, settingsSize: number): void;
  open_tensors(nameSize: number, fileSize: number): void;
  unpack_tensor(index: number): void;
  tensor_accuracy(nameSize: number): void;
}

type Reply = Answer<unknown> | { error: Fault };

/** SQNR by format, dB; null: exact. */
type Accuracies = Record<string, number | null>;

export const quantizeModule = onDemand<QuantizeCalls>('quantize.wasm');

/// The accuracy of GGUF's types for a sample; empty without the module.
export async function sampleAccuracies(sample: string): Promise<Accuracies> {
  if (!canLoad()) return {};
  const module = await quantizeModule();
  const question = new TextEncoder().encode('accuracy');
  module.put(question, new TextEncoder().encode(JSON.stringify({ sample })));
  module.exports.ask(question.length, 0);
  return (module.json() as { sqnr_db: Accuracies }).sqnr_db;
}

/// The answer to "plan", "offload" or "mixtures" under the given settings. A plan takes the tensors' own errors, if the model is from an open GGUF file.
export const askQuantize = (settings: string, question: string, request: object): Promise<Reply> =>
  replyOf(async () => {
    const { model } = (request as { request: { model: unknown } }).request;
    const own = question === 'plan' && { own_errors: await ggufErrors(model) };
    const module = await quantizeModule();
    const [name, config, asked] = [question, settings, JSON.stringify({ ...request, ...own })].map(text =>
      new TextEncoder().encode(text),
    ) as [Uint8Array, Uint8Array, Uint8Array];
    module.put(name, config, asked);
    module.exports.ask(name.length, config.length);
    return module.json();
  });

/// A plan for the network in a file; null: none is open.
export const planFor = (settings: string, file: InputFile | null, request: object): Promise<Reply> =>
  replyOf(() => {
    if (!file)
      throw { message: 'No plan for a network that is open with a profile: open the network file alone', path: '' };
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
