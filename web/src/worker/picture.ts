// Makes the first picture and the table of accuracies. Run by the build, in Node, with the page's own worker and the page's own state.
import { pack } from './first_picture';
import { firstOp } from '../inspector/first_op';
import { machineEntries } from '../core/machine_entry';
import type { Sample } from '../sources/opened';
import { settingsText } from '../core/settings';
import { selected, view } from '../core/view';
import { SAMPLE_NAMES, type SampleName } from '../protocol';
import { core } from './core';
import type { FrameJson } from '../../../wasm/session';

/** Of machines until the core answers. */
const UNKNOWN = { peak: null, peak_format: null, bandwidth: null, capacity: null };

export async function makePicture(wasm: ArrayBuffer, samples: Sample[], text: string): Promise<string> {
  await core.start(wasm);
  const { opened, faults } = await core.open('{}', [{ name: samples[0]!.file, blob: new Blob([text]) }], {}, () => {});
  if (!opened) throw new Error(faults[0]?.fault.message);
  const frame = () =>
    core.frame({ config: settingsText.value, view: view.value, selected: selected.value, chartAlone: false });
  selected.value = firstOp(JSON.parse((await frame()).data.json) as FrameJson);
  return pack({
    samples,
    text,
    opened,
    selected: selected.value,
    reply: await frame(),
    machines: machineEntries(core.list('machines')).map(({ id, name, vendor }) => ({ ...UNKNOWN, id, name, vendor })),
    formats: core.list('formats').map(({ id, name }) => ({ id, name })), // what is not shown of one is left out
  });
}

/**
 * SQNR by distribution and format, as JSON: built once, because it never changes and takes the page's worker over a second. Call after
 * makePicture().
 */
export function formatAccuracies(): string {
  type Shown = { sqnr_db?: Record<SampleName, number | null> };
  const shown = core
    .list('formats')
    .map(({ id }) => [id, (JSON.parse(core.show('format', id)) as Shown).sqnr_db] as const);
  const of = (sample: SampleName) => Object.fromEntries(shown.flatMap(([id, db]) => (db ? [[id, db[sample]]] : [])));
  return JSON.stringify(Object.fromEntries(SAMPLE_NAMES.map(sample => [sample, of(sample)])));
}
