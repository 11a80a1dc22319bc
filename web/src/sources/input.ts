// Ways in: the file button, drops anywhere, paste.
import { signal } from '@preact/signals';
import { compareWith, openAll } from '../compare/comparison';
import { openText } from './files';
import { complain } from './opened';
import { openHandles } from './live';

/** While a file is dragged over the page: the action of a drop there. */
export const dragging = signal<'open' | 'compare' | null>(null);

type Picker = (options: object) => Promise<FileSystemFileHandle[]>;

/** Lets the user choose files: by the browser's picker, whose handles can be followed, else by a file input. */
export async function chooseFiles() {
  const picker = (window as { showOpenFilePicker?: Picker }).showOpenFilePicker;
  if (!picker) return document.querySelector<HTMLInputElement>('#file-input')!.click();
  try {
    await openHandles(await picker({ multiple: true }));
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) complain('Open', error);
  }
}

/** Lets the user choose the run after the one that is open. */
export const chooseOtherRun = () => document.querySelector<HTMLInputElement>('#compare-input')!.click();

/** Opens files of the browser. */
export const openList = (files: Iterable<File>) =>
  openAll(Array.from(files, file => ({ name: file.name, blob: file })));

/** Opens files dropped on the page, and pasted text. */
export function acceptDropsAndPaste() {
  addEventListener('dragover', event => {
    event.preventDefault();
    dragging.value =
      event.target instanceof Element && event.target.closest('[data-drop=compare]') ? 'compare' : 'open';
  });
  addEventListener('dragleave', event => {
    if (!event.relatedTarget) dragging.value = null;
  });
  addEventListener('drop', event => {
    event.preventDefault();
    const compare = dragging.value === 'compare';
    dragging.value = null;
    if (compare) void compareWith(event.dataTransfer!.files);
    else void openDrop(event.dataTransfer!);
  });
  addEventListener('paste', event => {
    if (isField(event.target)) return;
    const { files } = event.clipboardData!;
    const text = event.clipboardData!.getData('text');
    if (files.length) void openList(files);
    else if (text.trim()) void openText(text);
  });
}

type HandleItem = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> };

async function openDrop(data: DataTransfer) {
  const files = Array.from(data.files);
  const text = data.getData('text');
  // Handles must be asked for before the first await.
  const items = Array.from(data.items).filter(({ kind }) => kind === 'file') as HandleItem[];
  const handles = await Promise.all(items.map(item => item.getAsFileSystemHandle?.().catch(() => null) ?? null));
  const kept = handles.filter((handle): handle is FileSystemFileHandle => handle?.kind === 'file');
  if (kept.length > 0 && kept.length === files.length) await openHandles(kept);
  else if (files.length) await openList(files);
  else if (text.trim()) await openText(text);
}

/** Whether keys typed there belong to a field. */
export const isField = (target: EventTarget | null) =>
  (target instanceof HTMLInputElement && target.type !== 'range' && target.type !== 'checkbox') ||
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement;
