// Networks' files, before anyone has run them: `roofline dims`, and `roofline analyze` with --dim and --fold.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { MACS, onnxModel, WEIGHT_BYTES, writeOnnxWithoutItsData, writeSparseOnnx } from '../../onnx.mjs';
import { folder, put, refused, roofline } from '../command.mjs';

copyFileSync(new URL('../../data/network.onnx', import.meta.url), join(folder, 'network.onnx'));
const summary = (...args) => JSON.parse(roofline(['analyze', 'network.onnx', ...args, '-o', 'json']).out).summary;

await test('dims: the lengths that a network leaves open, with what they are taken as', () => {
  assert.match(roofline(['dims', 'network.onnx']).out, /^batch +1 +1 +assumed: --dim batch=N sets it$/m);
  const { dimensions } = JSON.parse(roofline(['dims', 'network.onnx', '-o', 'json']).out);
  assert.deepEqual(
    dimensions.map(({ name, value, assumed }) => [name, value, assumed]),
    [
      ['batch', 1, true],
      ['height', 224, true],
      ['width', 224, true],
    ],
  );
  refused(1, ['dims', 'nowhere.onnx'], /nowhere\.onnx/);
  refused(1, ['analyze', 'nowhere.onnx', '--dim', 'batch=1'], /nowhere\.onnx: cannot be opened/);
});

await test('analyze: a network at chosen lengths', () => {
  const one = summary('--dim', 'height=64', '--dim', 'width=64');
  // 32 x 32 outputs of 4 channels, 27 multiply-adds each; then 4 x 5 of the last product.
  assert.equal(one.matrix_macs, 32 * 32 * 4 * 27 + 20);
  assert.equal(one.weights_bytes, 4 * (4 * 27 + 4 + 20));
  assert.equal(one.parameters, 132);
  // The input and the convolution's output.
  assert.equal(one.peak_activation_bytes, 4 * (3 * 64 * 64 + 4 * 32 * 32));
  assert.deepEqual(one.not_counted, []);
  const eight = summary('--dim', 'height=64', '--dim', 'width=height', '--dim', 'batch=8');
  assert.equal(eight.matrix_macs, 8 * one.matrix_macs);
  assert.equal(eight.peak_activation_bytes, 8 * one.peak_activation_bytes);
  assert.ok(eight.predicted_time_s > one.predicted_time_s);
});

await test('analyze: what is assumed of a network is said', () => {
  const { err } = roofline(['analyze', 'network.onnx', '--dim', 'width=64']);
  assert.match(err, /assumed: batch 1(\.0)?, height 224(\.0)?; --dim NAME=LENGTH/);
});

await test('analyze --fold: the same work, fewer operations, less traffic', () => {
  const [apart, folded] = [summary(), summary('--fold')];
  assert.equal(folded.matrix_macs, apart.matrix_macs);
  assert.equal(folded.flops, apart.flops);
  assert.equal(folded.folded, true);
  assert.ok(folded.ops < apart.ops);
  assert.ok(folded.bytes < apart.bytes);
  assert.deepEqual(folded.folding, apart.folding);
  for (const [totals, one] of [
    [apart.folding.with, folded],
    [apart.folding.without, apart],
  ])
    for (const [key, value] of Object.entries(totals)) assert.equal(value, one[key], key);
});

await test('analyze --fold=TOOLCHAIN: merged as a compiler does, on NPUs by default', () => {
  const on = (machine, ...args) => summary('--machine', machine, ...args);
  assert.equal(on('t4').folded, false);
  assert.equal(on('t4').folding.tool_chain, 'all');
  const vela = on('ethos-u55-256');
  assert.equal(vela.folded, true);
  assert.equal(vela.folding.tool_chain, 'vela');
  assert.match(vela.folding.sources, /pass_packing\.py/);
  assert.equal(vela.ops, vela.folding.with.ops);
  const alone = on('ethos-u55-256', '--fold=none');
  assert.equal(alone.folded, false);
  assert.equal(alone.ops, alone.folding.without.ops);
  assert.deepEqual(alone.folding, vela.folding);
  assert.deepEqual(on('ethos-u55-256', '--fold').folding, vela.folding);
  for (const key of ['matrix_macs', 'weights_bytes', 'peak_activation_bytes', 'parameters', 'nodes'])
    assert.equal(vela[key], alone[key], key);
  assert.equal(on('t4', '--fold=tensorrt').folding.title, 'TensorRT');
  const { err } = roofline(['analyze', 'network.onnx', '--machine', 'rk3588-npu']);
  assert.match(err, /\d of \d nodes are merged into others or vanish, as RKNN does; --fold=none counts each alone/);
  const upper = roofline(['analyze', 'network.onnx', '--machine', 'stm32n6']).err;
  assert.match(
    upper,
    /nodes are merged into others or vanish, as an ideal compiler does \(upper limit\); --fold=none counts each alone/,
  );
  assert.doesNotMatch(roofline(['analyze', 'network.onnx', '--machine', 't4']).err, /merged/);
  refused(2, ['analyze', 'network.onnx', '--fold=magic'], /--fold: expected none, all, .* or inductor, found magic/);
});

await test('analyze --on-chip: proposals that fit the activations on chip', () => {
  const { activation_memory: large } = summary('--machine', 'stm32n6');
  assert.equal(large.memory, 'SRAM');
  assert.equal(large.capacity, 1835008);
  assert.equal(large.peak_bytes, summary().peak_activation_bytes);
  const lengths = ['--dim', 'height=64', '--dim', 'width=64'];
  const small = summary(...lengths, '--on-chip', '48KiB').activation_memory;
  assert.equal(small.capacity, 49152);
  assert.ok(small.peak_bytes > small.capacity);
  assert.match(small.finding, /exceeds the 49\.2 kB of /);
  const { out } = roofline(['analyze', 'network.onnx', ...lengths, '--machine', 'stm32n6']);
  assert.match(out, /\nThe activations' peak of [\d.]+ kB, at \w+, fits the 1\.84 MB of SRAM\.\n$/);
  assert.equal('activation_memory' in summary('--machine', 'h100-sxm'), false);
  assert.equal('activation_memory' in summary('--machine', 'h100-sxm', '--on-chip', '48KiB'), true);
  const billion = roofline(['analyze', 'network.onnx', '--dim', 'batch=1000000000', '--on-chip', '1MiB'], {
    timeout: 10_000,
  });
  assert.match(billion.out, /exceeds the 1\.05 MB of .*\n$/);
  refused(2, ['analyze', 'network.onnx', '--on-chip', 'much'], /--on-chip: expected a number of bytes/);
  put('plain.json', '[{"type":"gemm","m":1,"n":2,"k":3}]');
  refused(2, ['analyze', 'plain.json', '--on-chip', '1M'], /--on-chip is for networks/);
});

await test('a network through a pipe, plain or packed, is that of its file', () => {
  const lengths = ['--dim', 'height=64', '--dim', 'width=64'];
  const file = summary(...lengths);
  const bytes = readFileSync(join(folder, 'network.onnx'));
  for (const input of [bytes, gzipSync(bytes)]) {
    const piped = JSON.parse(roofline(['analyze', '-', ...lengths, '-o', 'json'], { input }).out);
    assert.deepEqual(piped.summary, file);
    assert.equal(piped.source, 'standard input');
    const { dimensions } = JSON.parse(roofline(['dims', '-', '-o', 'json'], { input }).out);
    assert.deepEqual(
      dimensions.map(({ name }) => name),
      ['batch', 'height', 'width'],
    );
  }
  put('packed.onnx.gz', gzipSync(bytes));
  assert.deepEqual(JSON.parse(roofline(['analyze', 'packed.onnx.gz', ...lengths, '-o', 'json']).out).summary, file);
  refused(1, ['analyze', '-'], /standard input: .*cut off or damaged/, {
    input: bytes.subarray(0, bytes.length - 100),
  });
  const operations = '[{"type":"gemm","m":1,"n":2,"k":3}]';
  assert.equal(JSON.parse(roofline(['analyze', '-', '-o', 'json'], { input: operations }).out).summary.ops, 1);
  refused(2, ['analyze', '-', '--fold'], /standard input: --dim and --fold are for networks/, { input: operations });
  refused(2, ['quantize', '-', '--budget', 'sqnr=30dB'], /weights are read by range: expected a file/, {
    input: bytes,
  });
});

await test('analyze -o commands: the operations as a file that opens again, with all that holds for the network', () => {
  const lengths = ['--dim', 'height=64', '--dim', 'width=64', '--dim', 'batch=2'];
  put('exported.json', roofline(['analyze', 'network.onnx', ...lengths, '--fold', '-o', 'commands']).out);
  const again = JSON.parse(roofline(['analyze', 'exported.json', '-o', 'json']).out).summary;
  const { folding: _, activation_memory: __, ...file } = summary(...lengths, '--fold'); // of networks' own files
  assert.deepEqual(again, file);
  refused(2, ['analyze', 'network.onnx', '--dim', 'depth=3', '-o', 'commands'], /there is no dimension "depth"/);
  refused(1, ['analyze', 'exported.json', '-o', 'commands'], /does not begin as a network does/);
});

await test('analyze --sweep: a network over one of its dimensions', () => {
  const lengths = ['--dim', 'height=64', '--dim', 'width=64'];
  const swept = JSON.parse(
    roofline(['analyze', 'network.onnx', ...lengths, '--sweep', 'batch=1..8:linear', '-o', 'json']).out,
  );
  assert.deepEqual(
    swept.points.map(({ length }) => length),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
  for (const { length, ...point } of swept.points) {
    const one = summary(...lengths, '--dim', `batch=${length}`);
    for (const key of ['matrix_macs', 'flops', 'bytes', 'peak_activation_bytes', 'predicted_time_s', 'typical_time_s'])
      assert.equal(point[key], one[key], `${key} at ${length}`);
  }
  assert.equal(
    swept.finding,
    'DRAM bounds all along. From batch = 1 to 8 the predicted time per unit of batch stays the same.',
  );
  const square = roofline(['analyze', 'network.onnx', '--sweep', 'height,width=32..64:linear:2', '-o', 'csv']).out;
  assert.match(square, /^height=width,matrix_macs,.*\r\n32,.*\r\n64,/);
  assert.match(roofline(['analyze', 'network.onnx', '--sweep', 'batch=1..64']).out, /for each +bound by +estimate/);
  refused(2, ['analyze', 'network.onnx', '--sweep', 'depth=1..8'], /there is no dimension "depth"/);
  refused(2, ['analyze', 'network.onnx', '--sweep', 'batch'], /--sweep: /);
  refused(2, ['analyze', 'network.onnx', '--sweep', 'batch=1..8', '--modules'], /--sweep takes one network/);
  put('none.json', '[]');
  refused(1, ['analyze', 'none.json', '--sweep', 'batch=1..8'], /does not begin as a network does/);
});

await test('analyze --modules: equal modules once, with their count', () => {
  const linear = (module, n, k) => ({
    ...{ type: 'linear', data_type: 'fp16', input_shape: [4, k], weight_shape: [n, k], name: `${module}.run`, module },
  });
  const layers = [0, 1, 2].flatMap(i => [linear(`layers.${i}.up`, 32, 8), linear(`layers.${i}.down`, 8, 32)]);
  put('modules.json', JSON.stringify([linear('embed', 8, 16), ...layers]));
  const { finding, modules } = JSON.parse(roofline(['analyze', 'modules.json', '--modules', '-o', 'json']).out).summary
    .by_module;
  assert.deepEqual(
    modules.map(({ path, indices, count, ops, matrix_macs }) => [path, indices, count, ops, matrix_macs]),
    [
      ['', [], 1, 7, 4 * (8 * 16 + 3 * 2 * 32 * 8)],
      ['embed', [], 1, 1, 4 * 8 * 16],
      ['layers.*', ['0-2'], 3, 2, 4 * 2 * 32 * 8],
      ['layers.*.up', ['0-2'], 3, 1, 4 * 32 * 8],
      ['layers.*.down', ['0-2'], 3, 1, 4 * 32 * 8],
    ],
  );
  assert.match(finding, /^layers\.0-2, 3 equal modules, take \d+% of the predicted time\.$/);
  assert.match(roofline(['analyze', 'modules.json', '--modules']).out, /\n {2}layers\.0-2 +3 +2 +2\.05 k +4\.1 k /);
  assert.match(roofline(['analyze', 'network.onnx', '--modules']).out, /\nall +1 +\d+ .* 132 +528 B /);
  // Three layers of 8 to 16 to 8 channels, and a head of 5.
  const layers3 = new URL('../../data/layers.onnx', import.meta.url).pathname;
  const network = JSON.parse(roofline(['analyze', layers3, '--dim', 'batch=4', '--modules', '-o', 'json']).out).summary;
  const of = Object.fromEntries(network.by_module.modules.map(m => [m.path, m]));
  assert.equal(of['layers.*'].count, 3);
  assert.equal(of['layers.*'].parameters, 2 * 8 * 16);
  assert.equal(of['layers.*'].weights_bytes, 4 * 2 * 8 * 16);
  assert.equal(of['layers.*'].matrix_macs, 4 * 2 * 8 * 16);
  assert.equal(of['layers.*.act'].read_bytes, 4 * 4 * 16);
  for (const key of [
    'matrix_macs',
    'flops',
    'bytes',
    'parameters',
    'weights_bytes',
    'predicted_time_s',
    'typical_time_s',
  ])
    assert.ok(Math.abs(of[''][key] / network[key] - 1) < 1e-12, key);
  refused(2, ['analyze', 'modules.json', '--modules', '-o', 'csv'], /--modules: expected -o table or json/);
});

await test('analyze: what is wrong with a dimension or a network is said', () => {
  refused(2, ['analyze', 'network.onnx', '--dim', 'batch=0'], /dimension batch: expected a whole number of at least 1/);
  refused(2, ['analyze', 'network.onnx', '--dim', 'depth=3'], /expected one of batch, height, width/);
  refused(2, ['analyze', 'network.onnx', '--dim', 'batch'], /expected NAME=LENGTH/);
  put('operations.json', '[{"type":"gemm","m":1,"n":2,"k":3}]');
  refused(2, ['analyze', 'operations.json', '--fold'], /--dim and --fold are for networks/);
  const bytes = readFileSync(join(folder, 'network.onnx'));
  put('cut.onnx', bytes.subarray(0, bytes.length - 100));
  refused(1, ['analyze', 'cut.onnx'], /cut off or damaged/);
  put('headless.onnx', Buffer.from([0x08, 0x08]));
  refused(1, ['analyze', 'headless.onnx'], /without a graph: the file is cut off, damaged or not an ONNX model/);
  put('empty.onnx', Buffer.from([0x08, 0x08, 0x3a, 0]));
  refused(1, ['analyze', 'empty.onnx'], /the model has no nodes: it is empty, cut off or damaged/);
  put('foo.onnx', onnxModel('Foo'));
  const foo = roofline(['analyze', 'foo.onnx', '-o', 'json']);
  assert.match(foo.err, /not counted \(no rule for this operator\): 1 Foo/);
  const { summary: unknown } = JSON.parse(foo.out);
  assert.equal(unknown.weights_bytes, 0);
  for (const key of ['matrix_macs', 'flops', 'bytes', 'predicted_time_s', 'peak_activation_bytes'])
    assert.equal(unknown[key], null, key);
});

await test('analyze: a network of gigabytes opens by its heads, and one without its data by its shapes', () => {
  writeSparseOnnx(join(folder, 'big.onnx'));
  writeOnnxWithoutItsData(join(folder, 'elsewhere.onnx'));
  for (const file of ['big.onnx', 'elsewhere.onnx']) {
    const before = performance.now();
    const { out, err } = roofline(['analyze', file, '-o', 'json']);
    const { summary } = JSON.parse(out);
    assert.equal(summary.weights_bytes, WEIGHT_BYTES);
    assert.equal(summary.matrix_macs, MACS);
    assert.ok(performance.now() - before < 10_000); // to read it takes longer
    if (file === 'elsewhere.onnx') assert.match(err, /1 weight is in other files, which are not opened: 2\.15 GB/);
  }
});

await test('a profile on top: merged as the engine that ran it, each layer beside its operations, the rest listed', () => {
  const lengths = ['--dim', 'height=64', '--dim', 'width=64', '--dim', 'batch=1'];
  const event = (name, us, provider) =>
    `{"cat":"Node","name":"${name}_kernel_time","ts":1,"dur":${us},"args":{"op_name":"Conv","provider":"${provider}"}}`;
  const onnxRuntime = provider =>
    `[{"cat":"Session","name":"model_run","ts":0,"dur":99},${event('fused c', 5, provider)},${event('p', 3, provider)},${event('reorder', 1, provider)}]`;
  const openVino = `<net name="n" version="11"><layers>
    <layer id="0" name="s" type="Convolution"><data execTimeMcs="5" originalLayersNames="c,r,s"/></layer>
    <layer id="1" name="p" type="Pooling"><data execTimeMcs="3" originalLayersNames="p"/></layer></layers></net>`;
  put('cpu.json', onnxRuntime('CPUExecutionProvider'));
  const kernel = (of, us) =>
    `{"cat":"Kernel","name":"k","ts":2,"dur":${us},"args":{"parent_name":"${of}_kernel_time"}}`;
  const launched = onnxRuntime('CUDAExecutionProvider');
  put('launches.json', launched);
  put('cuda.json', `${launched.slice(0, -1)},${kernel('fused c', 5)},${kernel('p', 3)},${kernel('reorder', 1)}]`);
  put(
    'trt.json',
    '[{"count":9},{"name":"c + PWN(r) + s","averageMs":0.005,"percentage":9},{"name":"p","averageMs":0.003,"percentage":9}]',
  );
  put('graph.xml', openVino);
  put(
    'tflite.txt',
    'Number of nodes executed: 2\n============================== Run Order ==============================\n' +
      '\t[node type]\t[first]\t[avg ms]\t[%]\t[cdf%]\t[mem KB]\t[times called]\t[Name]\n' +
      '\tCONV_2D\t0.005\t0.005\t9%\t9%\t0\t1\t[c]:0\n\tAVERAGE_POOL_2D\t0.003\t0.003\t9%\t9%\t0\t1\t[p]:1\n',
  );
  put(
    'rknn.txt',
    'ID OpType DataType Target InputShape OutputShape Cycles(DDR/NPU/Total) Time(us) MacUsage(%) WorkLoad(0/1/2) RW(KB) FullName\n' +
      '1 Conv INT8 NPU (1,3,64,64),(8,3,3,3) (1,8,32,32) 1/2/2 5 9 100/0/0 9 Conv:c\n2 AveragePool INT8 NPU (1,8,32,32) (1,8,16,16) 1/2/2 3 9 100/0/0 9 AveragePool:p\n',
  );
  const run = (file, ...more) => {
    const { status, out, err } = roofline([
      'analyze',
      'network.onnx',
      file,
      ...lengths,
      ...more,
      '--machine',
      't4',
      '-o',
      'json',
    ]);
    assert.equal(status, 0, err);
    const document = JSON.parse(out);
    return { time: Object.fromEntries(document.ops.map(op => [op.name, op.time_s * 1e6])), err };
  };
  const engines = {
    'cpu.json': 'ONNX Runtime (CPU)',
    'cuda.json': 'ONNX Runtime (CUDA)',
    'trt.json': 'TensorRT',
    'graph.xml': 'OpenVINO (CPU)',
    'tflite.txt': 'TFLite with XNNPACK',
    'rknn.txt': 'RKNN',
  };
  for (const [file, engine] of Object.entries(engines)) {
    const { time, err } = run(file);
    assert.ok(Math.abs(time.c - 5) < 1e-6, `${file}: ${JSON.stringify(time)}`);
    assert.ok(err.includes(`as ${engine} does, which ran ${file}; --fold=none counts each alone`), err);
  }
  const launches = roofline(['analyze', 'network.onnx', 'launches.json', ...lengths, '--machine', 't4']);
  assert.equal(launches.status, 1);
  assert.match(
    launches.err,
    /neither file states times of operations; .*launches\.json: the profile lists no kernels of 3 nodes/,
  );
  const { time, err } = run('cpu.json');
  assert.ok(!('r' in time)); // merged into c
  assert.ok(Math.abs(time.reorder - 1) < 1e-6);
  assert.match(err, /1 of cpu.json has no node in network.onnx: reorder/);
  assert.match(err, /have no time in cpu.json: q, y/);
  const chosen = run('cpu.json', '--fold=none');
  assert.ok('r' in chosen.time);
  assert.doesNotMatch(chosen.err, /which ran/);
});
