// Keeps this version's files for when there is no network. A version is whole or not there: each file is kept only with the hash that the
// build gave it. The page itself comes from the network as long as there is one, and asks for its files by its own version (assets.ts); so
// no page gets a file of another.
declare const BUILD: string;
declare const KEPT: Record<string, string>; // path -> base64 of its SHA-256

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends WorkerEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Scope {
  registration: ServiceWorkerRegistration;
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}
const worker = globalThis as unknown as Scope;

const PATIENCE_MS = 4000; // until a network that does not answer counts as none
const family = `roofline ${worker.registration.scope} `; // tells apart copies of the page on one server
const cacheName = family + BUILD;
const urlOf = (path: string) => new URL(`${path}?v=${BUILD}`, worker.registration.scope).href;

worker.addEventListener('install', event => event.waitUntil(keepAll()));
worker.addEventListener('activate', event => event.waitUntil(dropOthers()));
worker.addEventListener('message', ({ ports }) => ports[0]?.postMessage(BUILD));
worker.addEventListener('fetch', event => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || !url.href.startsWith(worker.registration.scope)) return;
  const path = url.href.slice(worker.registration.scope.length).replace(/[?#].*/s, '') || 'index.html';
  const version = url.searchParams.get('v');
  if (!Object.hasOwn(KEPT, path) || (version !== null && version !== BUILD)) return;
  event.respondWith(version === BUILD ? kept(path).then(found => found ?? fetch(request)) : newest(request, path));
});

async function keepAll() {
  const cache = await caches.open(cacheName);
  await Promise.all(
    Object.entries(KEPT).map(async ([path, hash]) => {
      const response = await fetch(urlOf(path), { cache: 'no-cache', integrity: `sha256-${hash}` });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      await cache.put(urlOf(path), response);
    }),
  );
}

async function dropOthers() {
  const others = (await caches.keys()).filter(key => key.startsWith(family) && key !== cacheName);
  await Promise.all(others.map(key => caches.delete(key)));
}

const kept = async (path: string) => (await caches.open(cacheName)).match(urlOf(path));

/** From the network; without one, or where it does not answer, as it was kept. */
async function newest(request: Request, path: string): Promise<Response> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), PATIENCE_MS);
  try {
    const response = await fetch(request.url, { cache: 'no-cache', signal: giveUp.signal });
    if (response.ok) return response;
    return (await kept(path)) ?? response;
  } catch (error) {
    const found = await kept(path);
    if (found) return found;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

export {}; // a module to the compiler: its names are its own
