// Follows changes of the open files: through the browser's file handles, or through `roofline serve`.
import { computed } from '@preact/signals';
import type { InputFile } from '../worker/messages';
import { openAll } from '../compare/comparison';
import { openFiles } from './files';
import { followed, source } from './opened';
import { openedFiles } from './source_files';

const POLL_MS = 1000;

export const live = computed(() => followed.value !== null && followed.value === source.value);

let timer: ReturnType<typeof setInterval> | undefined; // of the handles opened last; it waits while another source is open

/** Reads the handles' files, and again whenever one of them changes. */
export async function openHandles(handles: FileSystemFileHandle[]) {
  const files = await Promise.all(handles.map(handle => handle.getFile()));
  const earlier = source.value;
  if (await openAll(files.map(file => ({ name: file.name, blob: file })))) return; // two runs: a comparison is not followed
  if (source.value === earlier) return; // nothing was opened: an error, a machine, settings
  followed.value = source.value;
  const seen = files.map(stamp);
  clearInterval(timer);
  timer = setInterval(async () => {
    if (!live.value || document.hidden) return;
    const of = source.value;
    const changed: InputFile[] = [];
    for (const [i, handle] of handles.entries()) {
      const file = await handle.getFile().catch(() => null); // gone for a moment while an editor replaces it
      if (!file || stamp(file) === seen[i]) continue;
      seen[i] = stamp(file);
      changed.push({ name: file.name, blob: file });
    }
    if (changed.length > 0 && source.value === of) await reread(changed);
  }, POLL_MS);
}

const stamp = (file: File) => `${file.lastModified} ${file.size}`;

/** With the other files of the source, such as the network of a run. */
function reread(changed: InputFile[]) {
  const own = openedFiles();
  const named = (name: string) => (file: InputFile) => file.name === name;
  const files = own.map(file => changed.find(named(file.name)) ?? file);
  const others = changed.filter(({ name }) => !own.some(named(name)));
  return openFiles([...files, ...others], { source: source.value!, keepView: true });
}

interface LiveFile {
  role: string;
  name: string;
}

export type Served = LiveFile[];

/** Whether `roofline serve` sent this page, by a header: asking another server would log a 404 in the console. */
export function servedHere() {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.serverTiming.some(({ name }) => name === 'roofline-serve') ?? false;
}

/** What `roofline serve FILE` has open; null where this page is not served so. */
export async function findServed(): Promise<Served | null> {
  if (!servedHere()) return null;
  const response = await fetch('live/info').catch(() => null);
  if (response?.status !== 200) return null;
  const { files } = (await response.json()) as { files: Served };
  return files.length > 0 ? files : null;
}

/** Opens them and follows their changes. */
export async function openServed(files: Served) {
  await openFiles(await Promise.all(files.map(served)), { keeps: 'settings' });
  followed.value = source.value;
  const names = new Map(files.map(({ role, name }) => [role, name]));
  new EventSource('live/events').addEventListener('change', event => {
    const { role } = JSON.parse((event as MessageEvent<string>).data) as { role: string };
    if (!live.value) return;
    served({ role, name: names.get(role) ?? `${role}.json` }).then(
      file => reread([file]),
      () => undefined,
    ); // removed: what is shown stays
  });
}

async function served({ role, name }: LiveFile): Promise<InputFile> {
  const response = await fetch(`live/file/${role}`);
  if (!response.ok) throw new Error(`${name} cannot be read`);
  return { name, blob: await response.blob(), lent: true };
}
