// Saves the analysis as files: the core's documents, the settings, a report.
import { download } from '../core/download';
import type { ExportKind } from '../worker/messages';
import { core } from '../core/core';
import { settingsText } from '../core/settings';
import { viewState } from '../core/view';
import { network } from '../network/network';
import { offloadAnswer, type OffloadJson } from '../model/offload';
import { formatIndex, operator } from '../operator/operator';
import { before, opened, source } from '../sources/opened';
import { filesToRead, openedRegistries } from '../sources/source_files';
import { makeReport } from './report';
import { currentState } from '../shell/session';
import { loadLateViews } from '../widgets/late';

/** Saves one of the core's documents. */
export async function exportDocument(kind: ExportKind, type: string, extension: string = kind) {
  const baseline = operator.value ? formatIndex(operator.value, viewState.value.baseline) : 0;
  const document = await core().write(kind, baseline);
  const parts = kind === 'json' ? await withPageAnswers(document) : [document];
  download(new Blob(parts, { type }), `${exportName()}.${extension}`);
}

/** Adds what other modules answer, and the core's document lacks: the offload result, and a network's totals. */
async function withPageAnswers(document: Blob): Promise<(Blob | string)[]> {
  const reply = network.value && (await core().askNetwork(settingsText.peek(), 'network_summary'));
  const totals = reply && 'json' in reply ? (reply.json as object) : null;
  if (!totals && !offloadAnswer.value) return [document];
  const analysis = JSON.parse(await document.text());
  Object.assign(analysis.summary, totals);
  if (offloadAnswer.value) addHost(analysis.summary, offloadAnswer.value);
  return [JSON.stringify(analysis, null, 1)];
}

function addHost(summary: { finding: string }, { batch: _, layers: __, ...offload }: OffloadJson) {
  const finding = `${offload.finding} Whole on the card: ${summary.finding}`;
  Object.assign(summary, { finding, offload });
}

/** Saves the comparison, one row per operation or type. */
export const exportChanges = (byType = false) =>
  exportDocument(byType ? 'compare_types.csv' : 'compare.csv', 'text/csv');

/** Saves the settings as the core writes them. */
export async function exportConfig() {
  download(new Blob([await core().savedConfig()], { type: 'application/json' }), 'roofline_config.json');
}

/** Saves the page with the data and the view within it. */
export async function exportReport() {
  const files = (of: typeof source.value) => of && filesToRead(of);
  const compared = opened.value?.before ? files(before.value) : null;
  const { tensors: _, ...state } = currentState(); // a report has no weights in it
  const registries = state.registries?.length ? openedRegistries() : null;
  const report = await makeReport(state, { source: files(source.value), before: compared, registries });
  download(report, `${exportName()}.report.html`);
}

/** Copies the command that gives the figures on the page. */
export const copyCommand = async () => (await loadLateViews()).copyCommand();

/** The name of exported files, without extension. */
export const exportName = () =>
  (opened.value?.source ?? 'roofline').replace(/(\.json|\.csv)?(\.gz)?$/i, '') || 'roofline';
