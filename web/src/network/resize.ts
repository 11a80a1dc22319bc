// Reads the open network again with other choices.
import type { NetworkChoices } from '../../../wasm/session';
import { core } from '../core/core';
import { settingsText } from '../core/settings';
import type { Source } from '../share/link';
import { faults, followed, notice, opened, resizing, source } from '../sources/opened';
import { applyOpened } from '../sources/apply_opened';
import { filesOf, lastFile } from '../sources/source_files';

let resizer: Promise<void> | null = null;

/** Reads the open network with other choices, such as other lengths: one at a time, the newest wins. */
export function resizeNetwork(choices: NetworkChoices): Promise<void> {
  resizing.value = choices;
  resizer ??= resize().finally(() => (resizer = null));
  return resizer;
}

async function resize() {
  for (let choices = resizing.peek(); choices; choices = resizing.peek()) {
    const from = source.peek();
    const ofFile = from && 'file' in from ? from : null;
    const answer = ofFile && (await core().resize(settingsText.peek(), choices, opened.peek()!.reading));
    if (resizing.peek() === choices) resizing.value = null;
    if (!answer || source.peek() !== from) continue;
    const { error, opened: now } = answer;
    faults.value = error ? [{ file: ofFile.file, fault: error }] : [];
    if (!now) continue;
    notice.value = ''; // it was on other lengths
    const next: Source = { ...ofFile, as: { ...ofFile.as, network: choices } };
    if (followed.peek() === ofFile) followed.value = next;
    filesOf.set(next, filesOf.get(ofFile) ?? []);
    lastFile.value = { files: filesOf.get(next)!, source: next, statesMachine: now.stated_machine !== null };
    await applyOpened(now, { source: next, keepView: true, keepSelected: true });
  }
}
