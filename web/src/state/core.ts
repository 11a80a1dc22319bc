// Starts the worker. Over http its parts are files; from file:// a browser refuses those, so they come as one script.
import { wrap, type Remote } from 'comlink';
import type { Core } from '../worker/core';

declare global {
  var rooflineFiles: Record<string, string> | undefined; // offline.js: path -> base64
}

const offline = location.protocol === 'file:';
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
  const [worker, wasm, rest] = offline ? await fromScript() : await fromFiles();
  const remote = wrap<Core>(worker);
  await remote.start(wasm, rest);
  return remote;
}

async function fromFiles() {
  const worker = new Worker('worker.js');
  const failed = new Promise<never>((_, reject) =>
    worker.addEventListener('error', () => reject(new Error('worker.js cannot be started')), { once: true }),
  );
  const wasm = fetch('core.wasm').then(response => {
    if (!response.ok) throw new Error(`core.wasm cannot be fetched (${response.status})`);
    return response.arrayBuffer();
  });
  return [worker, await Promise.race([wasm, failed]), undefined] as const;
}

async function fromScript() {
  await loadScript('offline.js');
  const url = URL.createObjectURL(new Blob([offlineFile('worker.js')], { type: 'text/javascript' }));
  return [new Worker(url), offlineFile('core.wasm').buffer, offlineFile('rest.wasm').buffer] as const;
}

function offlineFile(path: string) {
  const base64 = rooflineFiles?.[path];
  if (base64 === undefined) throw new Error(`${path} is not part of this page`);
  return Uint8Array.from(atob(base64), c => c.charCodeAt(0));
}

export function loadScript(src: string) {
  return new Promise<void>((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), {
      src,
      onload: () => resolve(),
      onerror: () => reject(new Error(`${src} cannot be loaded`)),
    });
    document.head.append(script);
  });
}

/// A file of dist/samples.
export async function sampleText(file: string) {
  if (offline) return new TextDecoder().decode(offlineFile(`samples/${file}`));
  const response = await fetch(`samples/${file}`);
  if (!response.ok) throw new Error(`samples/${file} cannot be fetched (${response.status})`);
  return response.text();
}
