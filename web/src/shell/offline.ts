// Registers the service worker, which lets the page work offline, and reports a newer version.
import { signal } from '@preact/signals';
import { selfContained } from '../core/assets';

declare const BUILD: string;

const LOOK_MS = 3_600_000;

/** A newer version has arrived: a reload shows it. */
export const newVersion = signal(false);

/** Registers the service worker. Not from file://, which needs no network, and not under `roofline serve`, which is local. */
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
  setInterval(() => registration.update().catch(() => {}), LOOK_MS); // fails offline, which is fine
}

function buildOf(worker: ServiceWorker) {
  return new Promise<string>(resolve => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data as string);
    worker.postMessage('build', [port2]);
  });
}
