// The files that a link names and this visit lacks: found among those given or kept, else asked for.
import { signal } from '@preact/signals';
import type { InputFile } from '../worker/messages';
import type { FileRef, LinkState, OwnFile } from '../share/link';
import { reportFiles, reportRegistries } from '../share/report';
import { digestOf, findKept } from './own_files';
import { filesOf, knownFiles, registryFiles } from './source_files';

/** A link whose files are missing: the page asks for them and continues once it has all. */
interface Awaited {
  missing: FileRef[];
  damaged: boolean; // this browser had a copy, with another content
  resume: () => Promise<unknown>;
}
export const awaited = signal<Awaited | null>(null);
/** The link that asked for its files when another file was opened. It opens once the user gives them; null: none did. */
export const setAside = signal<Awaited | null>(null);

const given = new Map<string, InputFile>(); // what the page asked for, by SHA-256 or else by name

/** Takes the files that a link waits for; opens it once it has all. Returns the rest, or [] if it got only some. */
export async function giveAwaited(asked: Awaited, files: InputFile[]): Promise<InputFile[]> {
  const digests = await Promise.all(files.map(file => digestOf(file).catch(() => null)));
  const others = new Set(files);
  const missing = asked.missing.filter(({ file: name, sha256 }) => {
    const at = files.findIndex((file, i) => (sha256 && digests[i] ? digests[i].plain === sha256 : file.name === name));
    if (at < 0) return true;
    given.set(sha256 ?? name, files[at]!);
    others.delete(files[at]!);
    return false;
  });
  if (missing.length === asked.missing.length) return files;
  awaited.value = missing.length > 0 ? { ...asked, missing } : null;
  setAside.value = null;
  if (missing.length > 0) return [];
  await asked.resume();
  return [...others];
}

/** Finds the files of a link among those given by the user or kept in this browser. Returns the missing ones too. */
export async function findFiles({ source: from, before: earlier, registries: rules = [], tensors }: LinkState) {
  const missing: FileRef[] = [];
  let damaged = false;
  const inReport = [...reportRegistries(), ...[from, earlier].flatMap(one => (one && reportFiles(one)) ?? [])];
  const find = async (ref: FileRef) => {
    const byHand = given.get(ref.sha256 ?? ref.file) ?? inReport.find(({ name }) => name === ref.file);
    const found = byHand ? { file: byHand } : await findKept(ref);
    damaged ||= 'damaged' in found;
    if (!found.file) missing.push({ file: ref.file, ...(ref.sha256 && { sha256: ref.sha256 }), size: ref.size! });
    return found.file;
  };
  const findAll = async (list: FileRef[]) =>
    (await Promise.all(list.map(find))).filter((file): file is InputFile => file !== undefined);
  for (const one of [from, earlier]) {
    if (!one || !('file' in one) || knownFiles(one)) continue;
    const wanted = (one as OwnFile).files ?? [one];
    const files = await findAll(wanted);
    if (files.length === wanted.length) filesOf.set(one, files);
  }
  const own = await findAll(rules.filter(({ file }) => !registryFiles.has(file)));
  return { missing, damaged, registries: own, tensors: tensors && (await findAll([tensors]))[0] };
}
