// Recognises files that hold no operations, and says which file to open instead.
import { REPORT_ELEMENT } from '../share/report_element';

const PICTURE = 'images are not supported. Open the profile or the commands.json itself';
const WEIGHTS =
  'weights alone do not say which operations run. For a language model open its config.json; for any other model record a run, for instance with torch.profiler and record_shapes=True';

const MODEL =
  'models of this kind are not supported. Open an export to ONNX, TFLite or OpenVINO; for a language model open its config.json';

const START_BYTES = 256;
const LONGEST_PAGE = 64 << 20;

/** The first entry of PyTorch's archive, and the opcodes that a pickle begins with. */
const PYTORCH = /^(PK\x03\x04[^]{26}[^/]*\/data\.pkl|\x80[\x02-\x05][\x95\x8a}\])(cX])/;

/** By their first bytes. */
const STARTS: [start: RegExp, what: string, advice: string][] = [
  [/^\x89PNG/, 'a PNG image', PICTURE],
  [/^\xff\xd8\xff/, 'a JPEG image', PICTURE],
  [/^GIF8/, 'a GIF image', PICTURE],
  [/^RIFF[^]{4}WEBP/, 'a WebP image', PICTURE],
  [/^\s*<svg/, 'an SVG image', PICTURE],
  [/^%PDF/, 'a PDF document', 'copy its table into a CSV file and open that'],
  [
    /^\s*(<!doctype html|<html)/i,
    'a web page',
    'a login or error page may have been saved instead of the file. Download it again',
  ],
  [PYTORCH, 'a PyTorch model or another pickle of Python', WEIGHTS],
  [/^(ggml|tjgg)/, 'a GGML model', WEIGHTS],
  [/^\x89HDF/, 'an HDF5 file', WEIGHTS],
  [
    /^SQLite format 3/,
    'an SQLite database, as Nsight Systems writes',
    `export its kernels as CSV: nsys stats -r cuda_gpu_trace -f csv`,
  ],
  [/^\x7fELF/, 'a program', 'run it under a profiler and open the profile'],
];

/** By extension, if the first bytes do not identify the file: a name may be wrong, so the message says what it goes by. */
const ENDINGS: [ending: RegExp, what: string, advice: string][] = [
  [/\.(pb|h5|keras|mlmodel|engine|plan)$/i, 'a model', MODEL],
  [
    /\.nsys-rep$/i,
    'a report of Nsight Systems',
    'save it as CSV first: nsys stats --report cuda_gpu_trace --format csv FILE',
  ],
  [/\.xlsx?$/i, 'a spreadsheet', 'save it as CSV and open that'],
  [/\.(zip|tar|7z)$/i, 'an archive', 'unpack it and open one of its files'],
];

/** Why a file cannot be opened and what to do; null: it may be readable. */
export async function wrongFile(name: string, blob: Blob): Promise<string | null> {
  const bytes = new Uint8Array(await blob.slice(0, START_BYTES).arrayBuffer());
  const start = String.fromCharCode(...bytes);
  if (/^\s*<!doctype html/i.test(start) && (await blob.slice(0, LONGEST_PAGE).text()).includes(`${REPORT_ELEMENT}{`))
    return 'This is a report of Roofline: open it with a double click.';
  const known = STARTS.find(([pattern]) => pattern.test(start));
  if (known) return `This is ${known[1]}: ${known[2]}.`;
  const named = /^[[{"\s]/.test(start) ? undefined : ENDINGS.find(([pattern]) => pattern.test(name));
  return named ? `By its name, this is ${named[1]}: ${named[2]}.` : null;
}
