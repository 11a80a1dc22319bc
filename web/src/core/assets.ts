// Loads the site's other files: by fetch, or from the page itself if it is one file or was opened from file://.

declare global {
  var rooflineFiles: Record<string, string> | undefined; // path -> base64 of its gzip; from offline.js or roofline.html
}

declare const BUILD: string; // a hash of everything the site has

/** A file's address with its version, so that no cache returns the file of another version. */
export const addressOf = (path: string) => (location.protocol === 'file:' ? path : `${path}?v=${BUILD}`);

/** Nothing can be fetched from file://, and the page that is one file has nothing to fetch. */
export const selfContained = () => location.protocol === 'file:' || globalThis.rooflineFiles !== undefined;

/** A folder's files from file:// come as one script. */
export async function loadOwnFiles() {
  if (!globalThis.rooflineFiles) await loadScript(addressOf('offline.js'));
}

/** Whether the page has this file within it. */
export const hasOwn = (path: string) => globalThis.rooflineFiles?.[path] !== undefined;

/** The bytes that base64 stands for. */
export const decoded = (base64: string) => Uint8Array.from(atob(base64), c => c.charCodeAt(0));

/** Base64 of a gzip file's bytes, or of those of any other file packed with gzip. */
export async function packed(blob: Blob): Promise<string> {
  const start = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  return base64(isGzip ? blob : await new Response(blob.stream().pipeThrough(new CompressionStream('gzip'))).blob());
}

/** FileReader encodes any size. */
function base64(blob: Blob) {
  return new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** The bytes of a file within the page. */
export async function ownBytes(path: string): Promise<ArrayBuffer> {
  const base64 = globalThis.rooflineFiles?.[path];
  if (base64 === undefined) throw new Error(`${path} is not part of this page`);
  const packed = new Blob([decoded(base64)]);
  return new Response(packed.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** The bytes of a file of the site, wherever it is. */
export async function bytesOf(path: string): Promise<ArrayBuffer> {
  if (selfContained()) return ownBytes(path);
  const response = await fetch(addressOf(path));
  if (!response.ok) throw new Error(`${path} cannot be fetched (${response.status})`);
  return response.arrayBuffer();
}

/** A file's URL: its path, or a Blob of the copy embedded in the page. */
export async function urlOf(path: string, type: string) {
  return hasOwn(path) ? URL.createObjectURL(new Blob([await ownBytes(path)], { type })) : addressOf(path);
}

/** Runs a script of the site. */
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

/** Applies a stylesheet of the site. */
export async function loadStyle(path: string, attributes: Partial<HTMLLinkElement> = {}) {
  const href = await urlOf(path, 'text/css');
  document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href, ...attributes }));
}

/** Makes links to documents open the copies embedded in the page, if it has them. */
export function openOwnDocuments() {
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const path = link?.getAttribute('href')?.replace(/#.*/, '') ?? '';
    if (!hasOwn(path)) return;
    event.preventDefault();
    void urlOf(path, path.endsWith('.txt') ? 'text/plain' : 'text/html').then(url => open(url, '_blank'));
  });
}
