// Opens the source again in a new worker, after the old one ended. Nothing changes on the screen.
import { batch } from '@preact/signals';
import { proxy, type Remote } from 'comlink';
import type { Core } from '../worker/core';
import type { InputFile, Opened } from '../worker/messages';
import { sampleText } from '../core/core';
import { refresh } from '../core/engine';
import { before, notice, opened, samples, source } from './opened';
import { knownFiles, openedRegistries } from './source_files';
import type { Source } from '../share/link';
import { tensorFile } from '../precision/tensors';
import { settingsText } from '../core/settings';

/** Rejects if a file cannot be opened. */
export async function reopen(core: Remote<Core>, cause: string) {
  const earlier = opened.peek()?.before ? before.peek() : null;
  const now = source.peek();
  await put(core, openedRegistries());
  if (earlier) {
    await open(core, earlier);
    await core.keep(true);
  }
  const again = now && (await open(core, now));
  if (earlier) await core.keep(false);
  const tensors = tensorFile.peek();
  if (tensors) await put(core, [tensors.file]);
  batch(() => {
    notice.value = `The core stopped (${cause}) and was restarted. The view is as it was.`;
    // So that views ask their questions again; the new worker counts what it reads from the beginning.
    opened.value = opened.value && { ...opened.value, ...(again && { reading: again.reading }) };
  });
  void refresh(); // answered once this is done
}

async function open(core: Remote<Core>, from: Source): Promise<Opened | undefined> {
  if (!('built' in from))
    return put(core, knownFiles(from) ?? (await sampleFiles(from)), 'file' in from ? from.as : {});
  const { error, opened: now } = (await core.build(settingsText.peek(), from.built, from.request))!;
  if (error) throw new Error(error.message);
  return now;
}

async function put(core: Remote<Core>, files: InputFile[], as: object = {}) {
  if (files.length === 0) return undefined;
  const { faults, opened: now } = await core.open(
    settingsText.peek(),
    files,
    { ...as, alone: true },
    proxy(() => {}),
  );
  if (faults[0]) throw new Error(`${faults[0].file}: ${faults[0].fault.message}`);
  return now;
}

async function sampleFiles(from: Source): Promise<InputFile[]> {
  const file = 'sample' in from && samples.peek().find(({ id }) => id === from.sample)?.file;
  return file ? [{ name: file, blob: new Blob([await sampleText(file)]) }] : [];
}
