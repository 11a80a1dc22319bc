// Starts the worker and replaces one that ended. Over http its parts are files; from file:// they come as one script, because browsers
// refuse to load them.
import { signal } from '@preact/signals';
import { proxy, wrap, type Remote } from 'comlink';
import type { Core } from '../worker/core';
import { addressOf, bytesOf, loadOwnFiles, ownBytes, selfContained, urlOf } from './assets';
import { messageOf } from './faults';

/** The worker ended or its module aborted; pending calls get this error. */
export class CoreStopped extends Error {}

/** Why the core stopped a second time, while it reopened the source; null: it runs. */
export const stoppedAgain = signal<string | null>(null);

const ASK_MS = 10_000;
const MOST_UNANSWERED = 6;

type Calls = Remote<Core>;
type Call = (...values: unknown[]) => Promise<unknown>;

const callsOf = (call: (method: string | symbol, values: unknown[]) => unknown) =>
  new Proxy({} as Calls, {
    get:
      (_, method) =>
      (...values: unknown[]) =>
        call(method, values),
  });

/** A worker and what waits for its answers. */
class Running {
  private waiting = new Set<(cause: CoreStopped) => void>();
  private over = false;

  constructor(
    private worker: Worker,
    private remote: Calls,
    private onStop: (cause: string) => void,
  ) {}

  readonly calls = callsOf((method, values) => {
    const answer = (this.remote as unknown as Record<string | symbol, Call>)[method]!(...values);
    return new Promise((resolve, reject) => {
      if (this.over) return reject(new CoreStopped());
      this.waiting.add(reject);
      answer
        .then(resolve, (error: Error) => {
          if (error.name === 'RuntimeError' || error.name === 'RangeError') this.stop(causeOf(error));
          reject(error);
        })
        .finally(() => this.waiting.delete(reject));
    });
  });

  stop(cause: string) {
    if (this.over) return;
    this.over = true;
    this.worker.terminate();
    for (const reject of this.waiting) reject(new CoreStopped(`the core stopped: ${cause}`));
    this.onStop(cause);
  }

  /** The worker holds the lock `life` for as long as it lives; null: it holds none. */
  async watch(life: string | null) {
    try {
      if (life === null) throw new Error();
      await navigator.locks.request(life, () => this.stop('its worker ended'));
    } catch {
      this.askAfterIt();
    }
  }

  /** Without locks: pings the worker while a call is pending. The worker can be busy for seconds. */
  private askAfterIt() {
    let unanswered = 0;
    const timer = setInterval(() => {
      if (this.over) clearInterval(timer);
      else if (this.waiting.size === 0) unanswered = 0;
      else if (unanswered++ === 0) void this.remote.ping().then(() => (unanswered = 0));
      else if (unanswered > MOST_UNANSWERED) this.stop('its worker no longer answers');
    }, ASK_MS); // counted, not timed: a computer that was asleep has not waited
  }
}

/** The module is built without exceptions, so it aborts only when an allocation fails. */
const causeOf = ({ message }: Error) => (/abort/i.test(message) ? 'it ran out of memory' : message);

type Reopen = (core: Calls, cause: string) => Promise<void>;

let started: Promise<Running> = new Promise(() => {});
let current: Running | null = null; // the worker that holds the open source
let reopen: Reopen;

/// The worker's methods. Calls made before it has started wait, in their order.
const calls = callsOf(async (method, values) => {
  const { calls: own } = await started;
  return (own as unknown as Record<string | symbol, Call>)[method]!(...values);
});
export const core = () => calls;

/**
 * Starts a worker; rejects if that fails. When a worker ends or its module aborts, a new one takes its place: `restore` reopens the source
 * there before any other call.
 */
export async function startCore(restore: Reopen): Promise<void> {
  reopen = restore;
  addEventListener('unhandledrejection', event => {
    if (event.reason instanceof CoreStopped) event.preventDefault(); // the page shows it once, as a notice
  });
  started = launch();
  current = await started;
}

async function startAgain(cause: string, restore = reopen): Promise<Running> {
  let next: Running | null = null;
  try {
    next = await launch();
    await restore(next.calls, cause);
    return (current = next);
  } catch (error) {
    next?.stop(cause);
    stoppedAgain.value = messageOf(error);
    const again = await new Promise<boolean>(resolve => (goOn = resolve));
    stoppedAgain.value = null;
    return startAgain(cause, again ? restore : async () => {});
  }
}

/** Continues after `stoppedAgain`: reopens the source, or starts with nothing open. */
export let goOn = (_again: boolean) => {};

let ahead: ReturnType<typeof fromFiles> | null = null;

/** Asks for the worker and its module, the longest wait of a first visit, before the page is drawn. */
export function fetchAhead() {
  if (selfContained()) return;
  ahead = fromFiles();
  ahead.catch(() => {}); // launch() awaits it
}

async function launch() {
  const files = selfContained() ? fromPage() : (ahead ?? fromFiles());
  ahead = null;
  const [worker, wasm] = await files;
  const remote = wrap<Core>(worker);
  const life = globalThis.crypto?.randomUUID?.();
  const held = await remote.start(wasm, life, proxy(bytesOf));
  const running = new Running(worker, remote, cause => {
    if (current === running) started = startAgain(cause);
  });
  void running.watch(held && life ? life : null);
  return running;
}

async function fromFiles() {
  const worker = new Worker(addressOf('worker.js'));
  const failed = new Promise<never>((_, reject) =>
    worker.addEventListener('error', () => reject(new Error('worker.js cannot be started')), { once: true }),
  );
  return [worker, await Promise.race([bytesOf('roofline.wasm'), failed])] as const;
}

async function fromPage() {
  await loadOwnFiles();
  const [url, wasm] = await Promise.all([urlOf('worker.js', 'text/javascript'), ownBytes('roofline.wasm')]);
  return [new Worker(url), wasm] as const;
}

/// A file of dist/samples.
export async function sampleText(file: string) {
  return new TextDecoder().decode(await bytesOf(`samples/${file}`));
}
