// The user's own files, kept in this browser (IndexedDB) so that a reload finds them. The key is the SHA-256 of the content: two files of
// one name are kept apart, and a damaged copy is noticed.
import { signal } from '@preact/signals';
import type { Digest, InputFile } from '../worker/messages';
import { core } from '../core/core';
import type { FileRef } from '../share/link';

/** A kept file without its content. */
export interface KeptFile extends Digest {
  name: string;
  size: number; // bytes
  used: number; // when it was opened last, ms since 1970
  machine?: string | undefined; // the option chosen for it (machine_of_file.ts)
}
type Stored = KeptFile & { blob: Blob };

const MOST_KEPT_BYTES = 1e9; // of all kept files together
const DATABASE = 'roofline';
const STORE = 'files';

export const keptFiles = signal<KeptFile[]>([]); // the newest first
/** Why a file of this visit is not kept. */
export const notKept = signal<ReadonlyMap<Blob, string>>(new Map());

const digests = new WeakMap<Blob, Promise<Digest | null>>();

/** The file's digest, computed once; null if there is none (worker/digest.ts). */
export function digestOf(file: InputFile): Promise<Digest | null> {
  const digest = digests.get(file.blob) ?? core().digest(file);
  digests.set(file.blob, digest);
  return digest;
}

function database() {
  return new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1); // throws where the browser forbids storage
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'sha256' });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

async function transact<T>(mode: IDBTransactionMode, work: (files: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const open = await database();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = open.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    open.close();
  }
}

const all = () => transact('readonly', files => files.getAll() as IDBRequest<Stored[]>);
const remove = (sha256: string) => transact('readwrite', files => files.delete(sha256));

/** Reads the list again: another tab may have changed it. */
export async function listKept() {
  const files = await all().catch(() => []);
  keptFiles.value = files.map(({ blob: _, ...file }) => file).sort((a, b) => b.used - a.used);
}

/** Keeps a file. Removes the least recently used files if space is short. */
export async function keepFile({ name, blob }: InputFile, digest: Digest | null) {
  const machine = keptFiles.value.find(({ sha256 }) => sha256 === digest?.sha256)?.machine;
  const why = digest
    ? await put({ ...digest, name, blob, size: blob.size, used: Date.now(), machine })
    : isSecureContext
      ? 'it is too large'
      : 'the page did not come over HTTPS';
  const others = [...notKept.value].filter(([of]) => of !== blob);
  notKept.value = new Map(why ? [...others, [blob, why]] : others);
  await listKept();
}

const bytesOf = (files: KeptFile[]) => files.reduce((sum, { size }) => sum + size, 0);

/** Infinity where the browser does not tell. */
async function freeBytes() {
  const { quota = Infinity, usage = 0 } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  return quota - usage;
}

/** Null: it is kept; else why not. */
async function put(file: Stored): Promise<string | null> {
  if (file.size > MOST_KEPT_BYTES) return `it is larger than ${MOST_KEPT_BYTES / 1e9} GB`;
  try {
    const kept = await all();
    if (file.size > (await freeBytes()) + bytesOf(kept)) return 'it is larger than the storage of this browser';
    const others = kept.filter(({ sha256 }) => sha256 !== file.sha256).sort((a, b) => b.used - a.used);
    let bytes = file.size + bytesOf(others);
    const makeRoom = async () => {
      const oldest = others.pop();
      if (!oldest) return false;
      await remove(oldest.sha256);
      bytes -= oldest.size;
      return true;
    };
    while (bytes > MOST_KEPT_BYTES && (await makeRoom()));
    for (;;) {
      try {
        await transact('readwrite', files => files.put(file));
        return null;
      } catch (error) {
        const full = error instanceof DOMException && error.name === 'QuotaExceededError';
        if (!full) throw error;
        if (!(await makeRoom())) return 'the storage of this browser is full';
      }
    }
  } catch {
    return 'this browser stores no files for this page (a private window?)';
  }
}

/** Stores the chosen machine with the kept file, if that is still kept. */
export async function rememberMachine(sha256: string, machine: string) {
  const file = (await all().catch(() => [])).find(kept => kept.sha256 === sha256);
  if (file) await transact('readwrite', files => files.put({ ...file, machine })).catch(() => {});
  await listKept();
}

interface Found {
  file?: InputFile; // absent: there is no copy
  damaged?: boolean; // the copy had other content and was removed
}

/** The kept copy of a link's file. Its content is checked. */
export async function findKept({ sha256: wanted }: FileRef): Promise<Found> {
  if (!wanted) return {};
  try {
    const found = (await all()).find(({ sha256, plain }) => sha256 === wanted || plain === wanted);
    if (!found) return {};
    const file = { name: found.name, blob: found.blob };
    const digest = await digestOf(file);
    if (!digest) return {}; // it cannot be checked, for lack of memory: it may be sound
    if (digest.sha256 === found.sha256) return { file };
    await forgetFile(found.sha256);
    return { damaged: true };
  } catch {
    return {};
  }
}

/** Removes one kept file. What is open stays open. */
export async function forgetFile(sha256: string) {
  await remove(sha256).catch(() => {});
  await listKept();
}

/** Removes all kept files. */
export async function forgetAllFiles() {
  await transact('readwrite', files => files.clear()).catch(() => {});
  await listKept();
}
