// The page works without a network after its first visit (service_worker.ts), and says when there is a newer one.
import { signal } from '@preact/signals';
import { selfContained } from '../core/assets';

declare const BUILD: string;

const LOOK_MS = 3_600_000;

/** A newer version has arrived: a reload shows it. */
export const newVersion = signal(false);

/** Has the browser keep this version. Not of a file, which needs no network, nor under `roofline serve`, which is one. */
export async function keepOffline() {
  if (selfContained() || !('serviceWorker' in navigator) || !isSecureContext) return;
  const registration = await navigator.serviceWorker.register('service_worker.js', { updateViaCache: 'none' });
  const arrived = async (worker: ServiceWorker | null) => {
    if (worker && (await buildOf(worker)) !== BUILD) newVersion.value = true;
  };
  void arrived(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed') void arrived(worker);
    });
  });
  setInterval(() => registration.update().catch(() => {}), LOOK_MS); // without a network there is nothing new
}

function buildOf(worker: ServiceWorker) {
  return new Promise<string>(resolve => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data as string);
    worker.postMessage('build', [port2]);
  });
}
