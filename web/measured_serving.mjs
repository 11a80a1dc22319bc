// Published serving runs as the page shows them beside a frontier: those of tests/data that state what they ran, by model and machine.
import { gunzipSync } from 'node:zlib';

/** Why a run cannot be held against an estimate of the same deployment. */
const DOUBTS =
  /prefix-suspected|alike-tokens|source-error|spec-unknown|mtp-suspected|wip|queued|prefix-reuse|lengths-|layout-unknown|layout-doubtful|machine-assumed|weights-assumed|output-shorter/;

function* records(text) {
  let row = [''];
  let quoted = false;
  for (const [piece] of text.matchAll(/""|"|,|\r?\n|[^",\r\n]+/g)) {
    if (quoted && piece === '""') row[row.length - 1] += '"';
    else if (piece === '"') quoted = !quoted;
    else if (!quoted && piece === ',') row.push('');
    else if (!quoted && piece.endsWith('\n')) {
      yield row;
      row = [''];
    } else if (piece !== '""') row[row.length - 1] += piece;
  }
  if (row.length > 1) yield row;
}

const degree = (name, value) => (Number(value) > 1 ? ` ${name}${value}` : '');
const layoutOf = row =>
  row.mode === 'disagg'
    ? `${row.prefill_workers} prefill${degree('TP', row.prefill_tp)}${degree('EP', row.prefill_ep)} + ${row.decode_workers} decode${degree('TP', row.decode_tp)}${degree('EP', row.decode_ep)}`
    : `TP${row.tp || 1}${degree('EP', row.ep)}${degree('PP', row.pp)}${degree('DP', row.dp)}`;

/** "ai-dynamo/aiconfigurator@095f58a...:path/silicon_sample.csv#row" -> "github.com/ai-dynamo/aiconfigurator@095f58a, silicon_sample.csv". */
const sourceOf = text => {
  const [, repository, commit, path] = /^([\w.-]+\/[\w.-]+)@(\w+):([^#]*)/.exec(text) ?? [];
  return repository ? `github.com/${repository}@${commit.slice(0, 7)}, ${path.split('/').pop()}` : text;
};

/** MLPerf's are left out: MLCommons has rules for figures per accelerator. Returns JSON: {model: {machine: [run, ...]}}. */
export function measuredServing(packed) {
  const [header, ...rows] = records(gunzipSync(packed).toString());
  const out = {};
  for (const values of rows) {
    const row = Object.fromEntries(header.map((name, i) => [name, values[i] ?? '']));
    const [tpot, each] = [Number(row.tpot_ms), Number(row.output_tok_s_per_gpu)];
    if (!(tpot > 0 && each > 0) || !['agg', 'disagg'].includes(row.mode)) continue;
    if (row.block.startsWith('mlperf') || DOUBTS.test(row.flags)) continue;
    ((out[row.model] ??= {})[row.machine] ??= []).push({
      prompt: Number(row.isl),
      generate: Number(row.osl),
      users: Number(row.concurrency),
      tpot_ms: tpot,
      ttft_ms: Number(row.ttft_ms) || null,
      per_gpu: each,
      run: `${row.engine} ${row.engine_version}`.trim(),
      layout: `${row.weights} ${layoutOf(row)}`.trim(),
      ...(row.mode === 'disagg' && { pools: true }),
      date: row.date,
      source: sourceOf(row.source),
    });
  }
  return JSON.stringify(out);
}
