// Starts the worker. Over http its parts are files; from file:// a browser refuses those, so they come as one script.
import { wrap, type Remote } from 'comlink';
import type { Core } from '../worker/core';
import { addressOf, loadOwnFiles, ownBytes, selfContained, urlOf } from './assets';

let started: Promise<Remote<Core>> = new Promise(() => {});

/// The worker's methods. Calls made before it has started wait, in their order.
const calls = new Proxy({} as Remote<Core>, {
  get:
    (_, method) =>
    async (...values: unknown[]) => {
      const remote = (await started) as unknown as Record<string | symbol, (...values: unknown[]) => unknown>;
      return remote[method]!(...values);
    },
});
export const core = () => calls;

/// Rejects where it cannot be started.
export function startCore(): Promise<unknown> {
  return (started = start());
}

async function start() {
  const [worker, wasm, rest] = selfContained() ? await fromPage() : await fromFiles();
  const remote = wrap<Core>(worker);
  await remote.start(wasm, rest);
  return remote;
}

async function fromFiles() {
  const worker = new Worker(addressOf('worker.js'));
  const failed = new Promise<never>((_, reject) =>
    worker.addEventListener('error', () => reject(new Error('worker.js cannot be started')), { once: true }),
  );
  const wasm = fetch(addressOf('core.wasm')).then(response => {
    if (!response.ok) throw new Error(`core.wasm cannot be fetched (${response.status})`);
    return response.arrayBuffer();
  });
  return [worker, await Promise.race([wasm, failed]), undefined] as const;
}

async function fromPage() {
  await loadOwnFiles();
  const [url, core, rest] = await Promise.all([
    urlOf('worker.js', 'text/javascript'),
    ownBytes('core.wasm'),
    ownBytes('rest.wasm'),
  ]);
  return [new Worker(url), core, rest] as const;
}

/// A file of dist/samples.
export async function sampleText(file: string) {
  if (selfContained()) return new TextDecoder().decode(await ownBytes(`samples/${file}`));
  const response = await fetch(addressOf(`samples/${file}`));
  if (!response.ok) throw new Error(`samples/${file} cannot be fetched (${response.status})`);
  return response.text();
}
