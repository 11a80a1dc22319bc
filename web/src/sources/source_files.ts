// The user's own files: which a source was read from, how a link names them, and their copies in this browser.
import { signal } from '@preact/signals';
import type { InputFile } from '../worker/messages';
import { decoded } from '../core/assets';
import { embedded } from '../core/layout';
import { isOwnFile, type FileRef, type Source } from '../share/link';
import { reportFiles } from '../share/report';
import { measured, tensorFile } from '../precision/tensors';
import { source } from './opened';
import { digestOf, forgetFile, keepFile, keptFiles } from './own_files';

export const filesOf = new WeakMap<Source, InputFile[]>(); // the files that a source was read from
export const registries = signal<string[]>([]);
export const registryFiles = new Map<string, InputFile>();

/** The file to return to from an operator or a model. */
export const lastFile = signal<{ files: InputFile[]; source: Source; statesMachine: boolean } | null>(null);

const refs = new WeakMap<Blob, FileRef>();
const refsKnown = signal(0); // counts the digests that have arrived; each updates the link

/** A file's entry in a link. */
export function refOf({ name, blob }: InputFile): FileRef {
  void refsKnown.value;
  return refs.get(blob) ?? { file: name, size: blob.size };
}

/** A source as a link has it: with the digest of each of the user's own files, once that is known. */
export function linkedSource(from: Source): Source {
  const files = isOwnFile(from) ? filesOf.get(from)?.map(refOf) : undefined;
  if (!files?.length) return from;
  return files.length > 1 ? { ...from, files } : { ...from, ...files[0], file: (from as FileRef).file };
}

/** Likewise the registries in force and the tensors. */
export const linkedRegistries = () => registries.value.map(name => refOf(registryFiles.get(name)!));
export const linkedTensors = () => {
  const file = tensorFile.value?.file;
  return file && { ...refOf(file), ...(measured.value && { tensor: measured.value.tensor.name }) };
};

/** The files of a source, if this visit or this report has them; else null. */
export const knownFiles = (from: Source): InputFile[] | null =>
  'file' in from && 'text' in from
    ? [{ name: from.file, blob: new Blob([from.encoding === 'gzip' ? decoded(from.text) : from.text]) }]
    : (filesOf.get(from) ?? reportFiles(from));

/** The same files, for a report; null: the link is enough to open the source. */
export const filesToRead = (from: Source) => (isOwnFile(from) ? knownFiles(from) : null);

/** The registries that are in force. */
export const openedRegistries = () => [...registryFiles.values()];

/** The files that the open source was read from. */
export const openedFiles = () => (source.value && knownFiles(source.value)) ?? [];

let keeping: Promise<unknown> = Promise.resolve(); // one at a time: two files can have the same content

/** Keeps the user's own files in the browser. `earlier`: files they replace, which are removed; if those were not kept, neither are these. */
export function keep(files: InputFile[], earlier?: InputFile[]) {
  const shaOf = ({ blob }: InputFile) => refs.get(blob)?.sha256;
  const isKept = (sha: string | undefined) => keptFiles.value.some(({ plain }) => plain === sha);
  keeping = keeping.then(async () => {
    const replaced = earlier?.some(({ blob }, i) => blob !== files[i]?.blob) ? earlier.map(shaOf) : [];
    const wanted = !embedded && (replaced.length === 0 || replaced.some(isKept));
    for (const file of files) {
      const digest = await fingerprintOf(file);
      if (wanted && !file.lent) await keepFile(file, digest);
    }
    for (const sha of replaced) {
      const old = keptFiles.value.find(({ plain }) => plain === sha);
      if (old && !files.some(file => shaOf(file) === sha)) await forgetFile(old.sha256);
    }
  });
  return keeping;
}

async function fingerprintOf(file: InputFile) {
  const digest = await digestOf(file).catch(() => null);
  if (digest && !refs.has(file.blob)) {
    refs.set(file.blob, { file: file.name, sha256: digest.plain, size: file.blob.size });
    ++refsKnown.value;
  }
  return digest;
}

/** Computes the digests of the open files, which identify them in links. */
export const fingerprint = () => Promise.all(openedFiles().map(fingerprintOf));
