// Asks quantize.wasm about language models, and network.wasm about a network: plans of formats, and models shared with a host.
import type { Fault, TensorInfo } from '../../../wasm/session';
import { ggufErrors } from './gguf';
import type { Answer, InputFile } from './messages';
import { networkPlan } from './network';
import { canLoad, onDemand, rangesOf } from './on_demand';
import { tensorData } from './tensors';

interface QuantizeCalls {
  ask(questionSize: number, settingsSize: number): void;
  tensor_accuracy(fileSize: number): void;
}

type Reply = Answer<unknown> | { error: Fault };

/** SQNR by format, dB; null: exact. */
type Accuracies = Record<string, number | null>;

/// Floats whose accuracy is measured, by the names that tensor files give them.
const FLOATS: Record<string, string> = { F32: 'fp32', F16: 'fp16', BF16: 'bf16', '<f4': 'fp32', '<f2': 'fp16' };

let file: Blob; // that the module reads
const module = onDemand<QuantizeCalls>('quantize.wasm', memory => rangesOf(() => file, memory));

/// The accuracy of GGUF's types for a sample; empty without the module.
export async function sampleAccuracies(sample: string): Promise<Accuracies> {
  if (!canLoad()) return {};
  const running = await module();
  const question = new TextEncoder().encode('accuracy');
  running.put(question, new TextEncoder().encode(JSON.stringify({ sample })));
  running.exports.ask(question.length, 0);
  return (running.json() as { sqnr_db: Accuracies }).sqnr_db;
}

/// The same for a tensor of floats; empty for other tensors.
export async function tensorAccuracies(from: InputFile, tensor: TensorInfo): Promise<Accuracies> {
  const format = FLOATS[tensor.type];
  if (!format || tensor.reversed || !canLoad()) return {};
  const running = await module();
  file = await tensorData(from, tensor);
  const { shape, elements, offset } = tensor;
  const row = shape.slice(1).reduce((product, length) => product * length, 1);
  const asked = { offset, elements, row: shape.length > 1 ? row : elements, format };
  running.put(new TextEncoder().encode(JSON.stringify(asked)));
  running.exports.tensor_accuracy(file.size);
  return (running.json() as { sqnr_db: Accuracies }).sqnr_db;
}

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
