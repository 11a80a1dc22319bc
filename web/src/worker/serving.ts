// Asks serving.wasm, which needs no open workload.
import { transfer } from 'comlink';
import type { Fault } from '../../../wasm/session';
import type { Answer } from './messages';
import { onDemand } from './on_demand';

interface ServingCalls {
  ask(questionSize: number, settingsSize: number): void;
  columns(): number;
}

const module = onDemand<ServingCalls>('serving.wasm');

/// The answer to "serving" or "frontier" under the given settings.
export async function askServing(
  settings: string,
  question: string,
  request: object,
): Promise<Answer<unknown> | { error: Fault }> {
  const running = await module();
  const [name, config, asked] = [question, settings, JSON.stringify(request)].map(text =>
    new TextEncoder().encode(text),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  running.put(name, config, asked);
  running.exports.ask(name.length, config.length);
  const [json, names] = running.json() as [{ error?: Fault }, [string, number][]];
  if (json.error) return { error: json.error };
  let at = running.exports.columns();
  const columns = Object.fromEntries(
    names.map(([column, length]) => {
      const values = new Float32Array(running.memory, at, length).slice();
      at += values.byteLength;
      return [column, values];
    }),
  );
  return transfer(
    { json, columns },
    Object.values(columns).map(column => column.buffer),
  );
}
