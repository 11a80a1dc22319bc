// Real files that nobody prepared, held to figures that were counted independently (README.md beside them). Skipped without them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { roofline } from '../command.mjs';
import { samples } from '../../samples.mjs';

const folder = samples && join(samples, 'unprepared');
const there = folder && existsSync(folder);
const near = (ours, theirs, what) =>
  assert.ok(Math.abs(ours - theirs) <= 1e-3 * Math.abs(theirs), `${what}: ${ours}, expected ${theirs}`);
const sum = numbers => numbers.reduce((a, b) => a + (b ?? 0), 0);

/// What the command says of the file, without its name.
function analyze(file, ...options) {
  const bytes = readFileSync(join(folder, file));
  const input = file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  return roofline(['analyze', '-', '-o', 'json', ...options], { input });
}
function opened(file, ...options) {
  const { status, out, err } = analyze(file, ...options);
  assert.equal(status, 0, `${file}: ${err}`);
  const { ops, summary, machine, diagnostics } = JSON.parse(out);
  return { ops, summary, machine, diagnostics, err, said: diagnostics.map(({ message }) => message).join('\n') };
}
const held = (name, run) => there && test(`unprepared: ${name}`, run);
const total = ({ ops }) => sum(ops.map(({ time_s }) => time_s));
const of_type = ({ ops }, types) => sum(ops.filter(({ type }) => types.includes(type)).map(({ time_s }) => time_s));

// File, options, rows (null: not counted), microseconds in all.
const times = [
  ['aiter_a8w8_tuned_gemm.csv', [], 16, 2021.418],
  ['tl_mi300_binary.csv', [], 9, 6436.892],
  ['tl_allgather_bw.csv', [], 1, 412.785],
  ['kokkos_results.stats.csv', [], 6, 1264.96],
  ['gunrock_results.stats.csv', [], 8, 9030],
  ['hta_alexnet.json.gz', [], null, 66203],
  ['hta_nccl.json.gz', [], null, 165185.8],
  ['hta_trace_diff_test.json.gz', [], null, 963762],
  ['kineto_resnet50_2021.json.gz', [], null, 591532 + 11492 + 534],
  ['vela_per-layer_kws.csv', [], 2, 14.624 + 5.984],
  ['tt_ops_perf_results.csv', [], 621, 999200],
  ['unitrace_vec_add_d.txt', [], 3, 117.494],
  ['unitrace_ze_gemm_d.txt', [], 4, 185907.84],
  ['rocprofv2_vectoradd.txt', [], 1, 4397455.488],
  ['superbench_trt_inference.log', [], 1, 500],
  ['maestro_resnet50_pe256.csv', ['--column', 'Runtime (Cycles)=cycles at 1 GHz'], 66, null],
  ['scalesim_COMPUTE_REPORT.csv', ['--column', 'Total Cycles=cycles at 1 GHz'], 1, 52.447],
  ['chakra_small.json', [], 2, 32],
  ['jax_te_gpu.xplane.pb', [], 19, 12133.585],
  ['tl_kernel_by_category.csv', [], 8, 31197578.595e3],
];
for (const [file, options, rows, us] of times)
  held(`${file} has the times that its tool wrote`, () => {
    const document = opened(file, ...options);
    if (rows !== null) assert.equal(document.ops.length, rows);
    if (us !== null)
      assert.ok(Math.abs(total(document) * 1e6 - us) <= 1e-3 * us, `${total(document) * 1e6} us, expected ${us}`);
    assert.doesNotMatch(document.err, /guessed from the points/);
  });

held('vela: cycles at the clock of the NPU that MACs and utilisation prove, INT8', () => {
  const { ops, machine, said } = opened('vela_per-layer_kws.csv');
  assert.equal(machine.id, 'ethos-u55-256');
  near(ops[0].time_s, 14.624e-6, 'time');
  near(ops[0].flops, 2 * 73008, 'FLOPs');
  assert.equal(ops[0].formats?.activation ?? ops[0].activation ?? 'int8', 'int8');
  near(ops[0].efficiency, 0.039, 'utilisation');
  assert.match(said, /256 a cycle.*Ethos-U55-256.*500 MHz/);
  const slower = opened('vela_per-layer_kws.csv', '--column', 'Op Cycles=cycles at 200 MHz');
  near(slower.ops[0].time_s, 36.56e-6, 'time at 200 MHz');
  near(slower.ops[0].efficiency, 0.039, 'the same share of a slower NPU');
});

for (const file of ['maestro_resnet50_pe256.csv', 'scalesim_COMPUTE_REPORT.csv'])
  held(`${file}: without its clock it is asked for`, () => {
    const { status, err } = analyze(file);
    assert.equal(status, 1);
    assert.match(err, /counts cycles.*--column ".*=cycles at 1 GHz"/);
  });

held('maestro: MACs and names of layers', () => {
  const { ops } = opened('maestro_resnet50_pe256.csv', '--column', 'Runtime (Cycles)=cycles at 1 GHz');
  assert.equal(ops[0].name, 'CONV1');
  near(ops[0].time_s, 1330.673e-6, 'time');
  near(ops[0].flops, 2 * 111776448, 'FLOPs');
});

held('aiter: bandwidth times time proves FP8 operands and BF16 results, on an MI350X or MI355X', () => {
  const { ops, said, err } = opened('aiter_a8w8_tuned_gemm.csv');
  near(sum(ops.map(({ flops }) => flops)), 3.29848455168e12, 'FLOPs');
  near(ops[0].bytes, 25185280, 'bytes');
  assert.match(said, /FP8.*operands and BF16 results/);
  assert.match(err, /Which machine ran this\?.*: Instinct MI350X \([^)]*\) · Instinct MI355X \(--machine mi350x\)/);
});

held('tenstorrent: shapes, formats and the time that the tool thinks ideal', () => {
  const { ops } = opened('tt_ops_perf_results.csv');
  const product = ops.find(({ name, time_s }) => name.startsWith('Matmul') && Math.abs(time_s - 44.033e-6) < 1e-12);
  assert.ok(product);
  near(product.flops, 2 * 7680 * 128 * 256, 'FLOPs');
  near(product.bytes, 2 * (7680 * 128 + 128 * 256 + 7680 * 256), 'bytes');
  near(product.labels?.["Tool's ideal time"] ?? product.measures?.["Tool's ideal time"], 38.146e-6, 'ideal time');
});

held('two runs in one table: the first is read, and a comparison offered', () => {
  const { ops, said } = opened('tl_gemm_intersect.csv');
  assert.equal(ops.length, 5);
  near(ops[0].time_s, 84.484e-6 * 48, 'time');
  assert.match(said, /two runs.*"h100".*"mi300"/);
  const second = opened('tl_gemm_intersect.csv', '--column', 'mi300::Kernel Time (µs)_mean=time_us');
  near(second.ops[0].time_s, 5308.27e-6, 'time of the second run');
});

for (const [file, pattern] of [
  ['hta_alexnet.json.gz', /a100-40gb-sxm/],
  ['hta_trace_diff_test.json.gz', /v100-sxm2-16gb/],
  ['kineto_resnet50_2021.json.gz', /v100-sxm2/],
])
  held(`${file}: its machine`, () => assert.match(opened(file).machine.id, pattern));

// File, what the question says: the architecture in the file tells, and machines of no other are proposed.
for (const [file, asked] of [
  ['kineto_resnet50_autograd_api.json.gz', /: V100[^()]*\(volta in the file.*\(--machine v100/],
  ['jax_te_gpu.xplane.pb', /\? Instinct MI350X \(kernels for gfx950\) · Instinct MI355X \(--machine mi350x\)/],
  ['superbench_trt_inference.log', /\? A100 40GB SXM \(a100_sxm4_40gb in the file\) \(--machine a100-40gb-sxm\)/],
  [
    'tt_ops_perf_results.csv',
    /: Wormhole n300 \(tenstorrent in the file[^·]*( · (Blackhole|Wormhole) p?n?\d+a?)+ \(--machine tt-n300\)/,
  ],
])
  held(`${file}: the machines that its words allow`, () => {
    const [question] = opened(file).err.match(/Which machine ran this\?.*/);
    assert.match(question, asked);
    assert.doesNotMatch(question, file.startsWith('kineto') ? /MI\d|TPU|A100/ : /RTX|TPU|MI210|Jetson|Grace/);
  });

held('an MI100, which is no preset: machines of AMD alone', () => {
  const { err } = opened('rpc_mi100_kernel_substr.csv');
  assert.doesNotMatch(err, /RTX|M1|TPU/);
});

held('Qualcomm AI Hub: a row for each device and runtime', () => {
  const { ops } = opened('qai_yamnet_perf.yaml');
  assert.ok(ops.length >= 50, `${ops.length}`);
  near(ops.find(({ name }) => name === 'YamNet float, tflite on Dragonwing IQ-9075 EVK').time_s, 0.261e-3, 'time');
});

held('llama-bench: tests of a language model, with the work of a dense one', () => {
  const { ops } = opened('llamabench_m2ultra.md');
  assert.equal(ops.length, 60); // those of llama-bench: tables of llama-batched-bench lie between them
  near(sum(ops.map(({ time_s }) => time_s)), 0.47793, 'time of a token of each');
  const decode = ops.find(({ name }) => name.startsWith('gpt-oss 20B MXFP4 MoE, pp2048'));
  near(decode.time_s, 1 / 2713.4, 'time of a token');
});

// File, and what it is refused with: the tool, and what to do.
for (const [file, message] of [
  ['scalesim_BANDWIDTH_REPORT.csv', /SCALE-Sim.*COMPUTE_REPORT/],
  ['scalesim_topology_alexnet.csv', /SCALE-Sim.*COMPUTE_REPORT/],
  ['ti_tda4vm_artifacts.csv', /TI.*debug_level/],
  ['vitis_performance.csv', /Vitis.*vaitrace --txt/],
  ['argonne_all_results.csv', /roofline llm/],
  ['dstack_pd_results.csv', /serving benchmark.*frontier.*--measured/],
  ['infx_qwen35.json', /--measured/],
  ['vidur_phi2_mlp.csv', /Vidur.*time_ms/],
  ['superbench_gpu_stream.log', /holds a machine.*--machine/],
  ['superbench_stream_zen.log', /holds a machine.*--machine/],
  ['superbench_nccl_allreduce.log', /holds a machine.*--machine/],
  ['tl_kernel_by_category.csv', null],
])
  held(`${file}: ${message ? 'refused with the tool and what to do' : 'opens'}`, () => {
    const { status, err, out } = analyze(file);
    if (!message) return assert.equal(status, 0, err);
    assert.equal(status, 1, err);
    assert.equal(out, '');
    assert.match(err, message);
  });

held('CPU only: operators with their shapes, launched on a device that the trace lacks', () => {
  const { ops, said } = opened('hta_rank_non_gpu.json.gz');
  assert.ok(ops.length > 50, `${ops.length}`);
  assert.match(said, /launches on a device, but none of its events/);
  assert.ok(ops.every(({ time_s }) => time_s === null));
});
held('kineto 2021 with small letters: shapes of operators', () => {
  const { ops } = opened('kineto_resnet50_autograd_api.json.gz');
  near(sum(ops.filter(({ type }) => !/^mem/.test(type)).map(({ time_s }) => time_s)), 973_041e-6, "kernels' time");
  assert.ok(sum(ops.filter(({ flops }) => flops > 0).map(({ time_s }) => time_s)) > 0.3, 'time of operators with work');
});

/// Microseconds of the kernels, copies and fills of a trace, as PyTorch names their categories: sum, wall, and with any at work.
function device_time(file) {
  const { traceEvents } = JSON.parse(gunzipSync(readFileSync(join(folder, file))));
  const work = traceEvents
    .filter(({ ph, cat }) => ph === 'X' && /^(kernel|gpu_mem|Kernel$|Mem)/.test(cat ?? ''))
    .map(({ pid, tid, ts, dur }) => ({ pid, tid, ts: Number(ts), dur }))
    .sort((a, b) => a.ts - b.ts);
  let busy = 0;
  let until = work[0].ts;
  for (const { ts, dur } of work) {
    busy += Math.max(0, ts + dur - Math.max(ts, until));
    until = Math.max(until, ts + dur);
  }
  const streams = new Set(work.map(({ pid, tid }) => `${pid} ${tid}`)).size;
  return { sum: sum(work.map(({ dur }) => dur)), wall: until - work[0].ts, busy, streams };
}
for (const file of ['hta_alexnet.json.gz', 'hta_nccl.json.gz', 'kineto_resnet50_2021.json.gz'])
  held(`${file}: what its streams add up to, and how long the device was busy`, () => {
    const [, ...text] =
      /device time: (\S+) (\S+) in (\d+) streams?, within (\S+) (\S+): busy (\S+) (\S+) \(.*\), idle/.exec(
        opened(file).said,
      );
    const us = (number, unit) => Number(number.replaceAll(',', '')) * { s: 1e6, ms: 1e3, µs: 1, us: 1 }[unit];
    const { sum: all, wall, busy, streams } = device_time(file);
    const close = (ours, theirs, what) =>
      assert.ok(Math.abs(ours / theirs - 1) < 6e-3, `${what}: ${ours}, expected ${theirs}`);
    close(us(text[0], text[1]), all, 'sum');
    assert.equal(Number(text[2]), streams);
    close(us(text[3], text[4]), wall, 'wall');
    close(us(text[5], text[6]), busy, 'busy');
    const { summary } = JSON.parse(roofline(['analyze', join(folder, file), '-o', 'json']).out);
    close(summary.device_span_s, wall / 1e6, 'span in the document');
    close(summary.device_busy_s, busy / 1e6, 'busy in the document');
  });

held('nccl-tests: the machine that the log names, its link as measured', () => {
  const log = join(folder, 'superbench_nccl_allreduce.log');
  const { status, out, err } = roofline(['analyze', '-', '-o', 'json', '--machine', log], {
    input: '[{"type": "MatMul", "data_type": "FP16", "flops": 1e12, "bytes": 1e6}]',
  });
  assert.equal(status, 0, err);
  const { machine } = JSON.parse(out);
  assert.match(machine.name, /A100 40GB SXM, NVLink measured: 2\d\d GB\/s/);
  const busbw = [...readFileSync(log, 'utf8').matchAll(/^ +\d+ .*$/gm)].flatMap(([row]) => {
    const words = row.trim().split(/ +/);
    return [Number(words.at(-2)), Number(words.at(-6))];
  });
  near(
    JSON.stringify(machine).match(/"links":.*?"(?:value|bandwidth)":\s*(?:\{"value":\s*)?([\d.e+]+)/)[1],
    Math.max(...busbw) * 1e9,
    'link',
  );
});

for (const [file, why] of [
  ['tflite/person_detect_vela.tflite', /not counted \(compiled: its work is not in the file\): 1 ethos-u/],
  ['openvino_ir/test_dynamic_shapes.xml', /--dim NAME=LENGTH sets them/],
])
  held(`${file}: without an operation that counts, it opens and says why`, () => {
    const { status, out, err } = roofline(['analyze', join(samples, 'models', file), '-o', 'json']);
    assert.equal(status, 0, err);
    assert.match(err, why);
    assert.equal(JSON.parse(out).summary.flops, null);
  });

held('dstack: runs of vLLM as rings on the frontier, those of these lengths', () => {
  const file = join(folder, 'dstack_pd_results.csv');
  const [header, ...lines] = readFileSync(file, 'utf8')
    .trim()
    .split(/\r?\n/)
    .map(line => line.split(','));
  const mean = (line, sum) => line[header.indexOf(sum)] / line[header.indexOf('completed')];
  const close = (ours, theirs) => Math.abs(ours - theirs) <= 0.1 * theirs;
  const drawn = lines.filter(
    line => close(mean(line, 'total_input_tokens'), 2046) && close(mean(line, 'total_output_tokens'), 63),
  );
  assert.ok(drawn.length > 3 && drawn.length < lines.length);
  const { status, out, err } = roofline(
    [
      'frontier',
      'gpt-oss-120b',
      '--machines',
      'h200-sxm',
      '--gpus',
      '2',
      '--prompt',
      '2046',
      '--generate',
      '63',
    ].concat(['-o', 'svg', '--measured', file]),
  );
  assert.equal(status, 0, err);
  assert.equal(out.match(/<title>measured/g).length, drawn.length);
  assert.match(err, new RegExp(`${lines.length - drawn.length} of ${lines.length} runs have other lengths`));
});

held('Intel NPU: the layers of its timeline', () => {
  const file = join(samples, 'npu', 'intel_npu_profile_40XX.json');
  const { status, out } = roofline(['analyze', '-', '-o', 'json'], { input: readFileSync(file) });
  assert.equal(status, 0);
  const { ops } = JSON.parse(out);
  assert.deepEqual(ops.map(({ type }) => type).sort(), ['Convolution', 'Convolution', 'Relu', 'Relu']);
  near(sum(ops.map(({ time_s }) => time_s)), 47.084e-6, 'time');
});

/// The rows of a CSV whose fields hold no line breaks, its columns in another order and with other names.
function reordered(file, names = {}) {
  const rows = readFileSync(join(folder, file), 'utf8')
    .split(/\r?\n/)
    .filter(Boolean)
    .map(line => line.match(/("([^"]|"")*"|[^,]*)(,|$)/g).map(cell => cell.replace(/,$/, '')));
  const width = rows[0].length - (rows[0].at(-1) === '' ? 1 : 0);
  const order = Array.from({ length: width }, (_, i) => (i * 7 + 3) % width);
  const all = new Set(order).size === width ? order : order.map((_, i) => width - 1 - i);
  rows[0] = rows[0].map(cell => names[cell] ?? cell);
  return rows.map(cells => all.map(c => cells[c] ?? '').join(',')).join('\n') + '\n';
}
for (const [file, names, options, us] of [
  ['vela_per-layer_kws.csv', {}, [], 20.608],
  ['aiter_a8w8_tuned_gemm.csv', { us: 'time_us', bw: 'bandwidth GB/s', tflops: 'TFLOP/s' }, [], 2021.418],
  ['maestro_resnet50_pe256.csv', {}, ['--column', 'Runtime (Cycles)=cycles at 1 GHz'], null],
  ['tl_mi300_binary.csv', {}, [], 6436.892],
  ['tl_gemm_intersect.csv', {}, ['--column', 'h100::Kernel Time (µs)_mean=time_us'], 9001.278],
  ['tt_ops_perf_results.csv', {}, [], 999206.8],
])
  held(`${file}: the same with its columns in another order${Object.keys(names).length ? ' and renamed' : ''}`, () => {
    const { status, out, err } = roofline(['analyze', '-', '-o', 'json', ...options], {
      input: reordered(file, names),
    });
    assert.equal(status, 0, err);
    const document = JSON.parse(out);
    near(total(document) * 1e6, us ?? total(opened(file, ...options)) * 1e6, 'time');
    near(
      sum(document.ops.map(({ flops }) => flops)),
      sum(opened(file, ...options).ops.map(({ flops }) => flops)),
      'FLOPs',
    );
  });
held("MTIA: the accelerator's events", () => near(total(opened('hta_mtia_inference.json.gz')), 812125.2e-6, 'time'));
held('CUPTI ranges: times and FLOPs of kernels', () => {
  const document = opened('hta_cupti_profiler.json.gz');
  near(total(document), 9350187e-6, 'time');
  assert.ok(document.ops.some(({ flops }) => flops > 0));
});
held('kineto 2021: forward, and gradients of weights and inputs, from the shapes of convolutions', () => {
  const document = opened('kineto_resnet50_2021.json.gz');
  const convolutions = document.ops.filter(({ name }) => /convolution/.test(name) && name);
  const share = sum(convolutions.map(({ time_s }) => time_s)) / 591532e-6;
  assert.ok(share > 0.6, `${share} of the kernels' time`);
  assert.ok(of_type(document, ['memcpy']) > 0);
});
