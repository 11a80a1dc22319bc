// A report: the page as one file with the data and the view within it. `roofline ... -o html` writes one, and so does this page.
import { REPORT_ELEMENT } from './report_element';
import type { InputFile } from '../worker/messages';
import { addressOf, decoded, packed } from '../core/assets';
import { checkedLink, type LinkState, type OwnFile, type Source } from './link';

declare const VERSION: string;

interface PackedFile {
  name: string;
  gzip: string; // base64
}

const ROLES = ['source', 'before', 'registries'] as const;
type Role = (typeof ROLES)[number];

interface ReportJson {
  version: string;
  link: object; // as a link has it (link.ts)
  files: { [Of in Role]?: PackedFile[] };
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

/** Whether both are of one file, or of the same files: other runs may have the same names. */
const sameFile = (a: OwnFile, b: OwnFile) =>
  a.file === b.file && a.sha256 === b.sha256 && JSON.stringify(a.files) === JSON.stringify(b.files);

/** The embedded files of a source; null: none of that name. */
export function reportFiles(source: Source): InputFile[] | null {
  for (const role of ['source', 'before'] as const) {
    const own = reportState?.[role];
    const files = report?.files?.[role];
    if (!own || !files || !('file' in own) || !('file' in source) || !sameFile(own, source)) continue;
    return files.map(unpacked);
  }
  return null;
}

/** The embedded registries. */
export const reportRegistries = () => report?.files?.registries?.map(unpacked) ?? [];

const unpacked = ({ name, gzip }: PackedFile): InputFile => ({ name, blob: new Blob([decoded(gzip)]), lent: true });

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
export async function makeReport(state: LinkState, files: { [Of in Role]: InputFile[] | null }): Promise<Blob> {
  const page = await emptyPage();
  const at = page.indexOf(REPORT_ELEMENT) + REPORT_ELEMENT.length;
  if (at < REPORT_ELEMENT.length) throw new Error('roofline.html is of another version and cannot hold a report');
  const json: ReportJson = { version: VERSION, link: state, files: {} };
  for (const role of ROLES) {
    const list = files[role];
    if (list?.length)
      json.files[role] = await Promise.all(list.map(async ({ name, blob }) => ({ name, gzip: await packed(blob) })));
  }
  const inert = JSON.stringify(json).replaceAll('<', '\\u003c'); // so that no text can close the element
  return new Blob([page.slice(0, at), inert, page.slice(page.indexOf('</script>', at))], { type: 'text/html' });
}
