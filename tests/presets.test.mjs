// Every source of a preset names something that can be looked up. docs/reference/presets.md, "Sources", has the rule.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('..', import.meta.url).pathname;
const folders = ['checkpoints', 'formats', 'machines', 'models', 'stacks'];
const presets = folders.flatMap(folder =>
  readdirSync(`${root}presets/${folder}`).map(file => ({
    file: `${folder}/${file}`,
    text: readFileSync(`${root}presets/${folder}/${file}`, 'utf8'),
    json: JSON.parse(readFileSync(`${root}presets/${folder}/${file}`, 'utf8')),
  })),
);
const measured = new Set(
  readFileSync(`${root}tests/data/measured.csv`, 'utf8')
    .split('\n')
    .map(line => line.slice(0, line.indexOf(','))),
);

const computed = 'Computed from published figures; the note says how';
const host = String.raw`(?:[\w-]+\.)+[a-z]{2,}`;
const place = /\b(?:section|table|figure|pages?|appendix) (?:\d|[A-Z]\b)/;
const number =
  /\barXiv \d{4}\.\d{5}\b|\b(?:DS|DA|PB)-\d{5}-\d{3}\b|\b(?:IEEE \d+-|ISO\/IEC \d+:)\d{4}\b|\b(?:revision|version) \d+\.\d+\b/;
const forms = {
  repository:
    /\b(?:github\.com|huggingface\.co)\/[\w.-]+\/[\w.-]+.*\b(?:commit [0-9a-f]{7,40}|(?:issue|pull request|discussion) \d+)\b/,
  page: new RegExp(String.raw`\S .*\b${host}(?:/[^\s,()]*)?,? (?:\(?read )?\d{4}-\d{2}`),
  document: new RegExp(
    String.raw`\S+ .*(?:${place.source}|${number.source}|\b(?:data sheet|white ?paper|[Bb]rief|brochure)\b.*\(${host}/[^\s,()]+\))`,
  ),
  command: /`[a-z-]+[^`]*` on [^:]+: [\d,]+ (?:MiB|MB|MHz|W|B)\b|`powermetrics [^`]*` on [^:]+: \d+ MHz$/,
  // Our measurements: ids of rows, or the tool that fits them.
  rows: /\b(?:mat|ban)-\d+\b.* in tests\/data\/measured\.csv|tests\/data\/measured(?:_npu|_serving)?\.csv(?:\.gz)? \(tools\/calibrate(?: --serving)?\)/,
};
// Places without a number or letter, such as "specifications table" and "section on X".
const unnumbered = /\bspecifications? table\b|\b(?:section|appendix|table|figure|page) (?:on|of|in) /;
const example = /^A round .* no product is meant$/;

/** Why a source cannot be looked up; empty if it can. */
function fault(source, file, note) {
  if (source === computed) return /\d/.test(note ?? '') ? '' : 'computed, but the note has no numbers';
  if (example.test(source))
    return /^machines\/(npu-32t50|custom)\.json$/.test(file) ? '' : 'calls a product an example';
  const missing = [...source.matchAll(/\b(?:mat|ban|gem)-\d+\b/g)].filter(([id]) => !measured.has(id));
  if (missing.length > 0) return `no such row: ${missing[0][0]}`;
  if (unnumbered.test(source)) return 'names a place without its number';
  return Object.values(forms).some(form => form.test(source)) ? '' : 'names nothing that can be looked up';
}

/** Every figure of a preset: an object with a source, and its path. */
function* figures(value, path = '') {
  if (!value || typeof value !== 'object') return;
  if (path && typeof value.source === 'string') yield { path, ...value };
  for (const [key, part] of Object.entries(value)) if (key !== 'sources') yield* figures(part, `${path}.${key}`);
}

test('each source of each preset names something that can be looked up', () => {
  const faults = [];
  let checked = 0;
  for (const { file, json } of presets) {
    const sources = json.sources ?? {};
    const check = (where, source, note) => {
      ++checked;
      const why = fault(source, file, note);
      if (why) faults.push(`${file} ${where}: ${why}: "${source}"`);
    };
    if (json.source !== undefined) check('source', json.source);
    for (const [key, source] of Object.entries(sources)) if (source !== computed) check(`sources.${key}`, source);
    for (const figure of figures(json)) check(figure.path, sources[figure.source] ?? figure.source, figure.note);
  }
  assert.deepEqual(faults, []);
  assert.ok(checked > 1500, `${checked} sources`);
});

test('the rule refuses sources that cannot be looked up', () => {
  for (const source of [
    'config.json on Hugging Face, as copied into public repositories',
    'config.json on Hugging Face, recalled; its published parameter count comes out',
    'TensorRT-LLM documentation',
    'NVIDIA A30 Tensor Core GPU data sheet',
    'NVIDIA A30 Tensor Core GPU data sheet, specifications table',
    'NVIDIA A30 Tensor Core GPU data sheet (nvidia.com)',
    'NVIDIA A100 Tensor Core GPU Architecture whitepaper, section on TF32',
    'AMD CDNA 3 Architecture white paper, table',
    'AMD CDNA 3 Architecture white paper, section on caches (amd.com/cdna-3-white-paper.pdf)',
    'vidur model configs, commit 7d47513',
    'github.com/ggml-org/llama.cpp, ggml/src/ggml-common.h',
    'Total memory that nvidia-smi reports of this part, in published logs',
    "Apple's product pages and press releases",
    'One published figure, mat-9999999 in tests/data/measured.csv',
    'hmc-tech.com',
    'A round example of a small NPU; no product is meant',
  ])
    assert.notEqual(fault(source, 'machines/a30.json'), '', source);
  assert.notEqual(fault(computed, 'machines/a30.json', 'From a table.'), '');
});

test('each key of sources is stated once, and used', () => {
  const unused = [];
  for (const { file, json, text } of presets.filter(({ json }) => json.sources)) {
    const used = new Set([...figures(json)].map(({ source }) => source));
    for (const key of Object.keys(json.sources)) if (!used.has(key)) unused.push(`${file}: ${key}`);
    const block = text.slice(text.indexOf('"sources"'), text.indexOf('}', text.indexOf('"sources"')));
    const keys = [...block.matchAll(/^\s+"([^"]+)": "/gm)].map(([, key]) => key);
    assert.deepEqual(keys, [...new Set(keys)], `${file} states a key twice`);
  }
  assert.deepEqual(unused, []);
});

test('a figure equals the answer of the command that is its source', () => {
  let checked = 0;
  for (const { file, json } of presets)
    for (const figure of figures(json)) {
      const source = json.sources?.[figure.source] ?? figure.source;
      const [, answer, unit] = /(?:nvidia-smi|hl-smi).* ([\d,]+) (MiB|MHz|W)$/.exec(source) ?? [];
      if (!answer) continue;
      const scale = { MiB: 1048576, MHz: 1e6, W: 1 }[unit];
      assert.equal(figure.value, Number(answer.replaceAll(',', '')) * scale, `${file} ${figure.path}`);
      ++checked;
    }
  assert.ok(checked > 30, `${checked} figures`);
});
