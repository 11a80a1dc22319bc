// A report: the page as one file with the data and the view within it. `roofline ... -o html` writes one, and so does this page.
import { REPORT_ELEMENT } from './report_element';
import type { InputFile } from '../worker/messages';
import { addressOf, decoded, packed } from '../core/assets';
import { checkedLink, type LinkState, type Source } from './link';

declare const VERSION: string;

interface PackedFile {
  name: string;
  gzip: string; // base64
}

interface ReportJson {
  version: string;
  link: object; // as a link has it (link.ts)
  files: { source?: PackedFile[]; before?: PackedFile[] };
}

/** The report's data; null: this page is no report. */
function read(): ReportJson | null {
  try {
    return JSON.parse(document.getElementById('report')?.textContent || 'null') as ReportJson | null;
  } catch {
    return null;
  }
}

const report = read();

/** The link state that the report opens with. */
export const reportState: LinkState | null = report && checkedLink(report.link);

/** The embedded files of a source; null: none of that name. */
export function reportFiles(source: Source): InputFile[] | null {
  for (const role of ['source', 'before'] as const) {
    const own = reportState?.[role];
    const files = report?.files?.[role];
    if (!own || !files || !('file' in own) || !('file' in source) || own.file !== source.file) continue;
    return files.map(({ name, gzip }) => ({ name, blob: new Blob([decoded(gzip)]), lent: true }));
  }
  return null;
}

/** The HTML of roofline.html before anything is drawn; null: this page is not that file. */
const own = document.getElementById('report') && `<!doctype html>\n${document.documentElement.outerHTML}`;

async function emptyPage(): Promise<string> {
  if (own) return own;
  const response = await fetch(addressOf('roofline.html')).catch(() => null);
  if (!response?.ok)
    throw new Error('roofline.html cannot be fetched. Make the report online, or in roofline.html itself');
  return response.text();
}

/** A report that opens with `state` and embeds `files`. */
export async function makeReport(
  state: LinkState,
  files: { source: InputFile[] | null; before: InputFile[] | null },
): Promise<Blob> {
  const page = await emptyPage();
  const at = page.indexOf(REPORT_ELEMENT) + REPORT_ELEMENT.length;
  if (at < REPORT_ELEMENT.length) throw new Error('roofline.html is of another version and cannot hold a report');
  const json: ReportJson = { version: VERSION, link: state, files: {} };
  for (const role of ['source', 'before'] as const) {
    const list = files[role];
    if (list?.length)
      json.files[role] = await Promise.all(list.map(async ({ name, blob }) => ({ name, gzip: await packed(blob) })));
  }
  const inert = JSON.stringify(json).replaceAll('<', '\\u003c'); // so that no text can close the element
  return new Blob([page.slice(0, at), inert, page.slice(page.indexOf('</script>', at))], { type: 'text/html' });
}
