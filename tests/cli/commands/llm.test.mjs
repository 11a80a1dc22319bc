// `roofline llm`, tried as a user would.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, roofline } from '../command.mjs';

const config = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 4096,
  intermediate_size: 14336,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  vocab_size: 128256,
  tie_word_embeddings: false,
};
const put = (name, content) => writeFileSync(join(folder, name), content);

function document(...args) {
  const { status, out, err } = roofline(['llm', ...args, '-o', 'json']);
  assert.equal(status, 0, err);
  return JSON.parse(out);
}
function refused(status, args, message) {
  const result = roofline(['llm', ...args]);
  assert.deepEqual([result.status, result.out], [status, ''], `${args.join(' ')}: ${result.err}`);
  assert.match(result.err, message);
}
const close = (a, b, tolerance) => assert.ok(Math.abs(a / b - 1) < tolerance, `${a} and ${b}`);

async function test_llm() {
  await test('llm: the document of a decode step', () => {
    const { schema, source, machine, ops, summary, steps } = document(
      'llama-3-8b',
      '--machine',
      'a100-80gb-sxm',
      '--phase',
      'decode',
      '--batch',
      '8',
      '--context',
      '4096',
      '--weights',
      'int4_g128',
      '--activations',
      'fp16',
      '--kv',
      'fp8_e4m3',
      '--attention',
      'ideal',
      '--tp',
      '1',
    );
    assert.deepEqual([schema, source, machine.id], ['roofline-analysis/1', 'llama-3-8b', 'a100-80gb-sxm']);
    assert.deepEqual(
      steps.map(({ name }) => name),
      ['decode'],
    );
    assert.deepEqual(
      ops.map(op => op.name),
      [
        'embed',
        'input_norm',
        'q_proj',
        'k_proj',
        'v_proj',
        'rope',
        'kv_write',
        'attention',
        'o_proj',
        'residual',
        'post_norm',
        'gate_proj',
        'up_proj',
        'act_mul',
        'down_proj',
        'final_norm',
        'lm_head',
      ],
    );
    const gate = ops.find(op => op.name === 'gate_proj');
    assert.equal(gate.count, 32);
    assert.equal(gate.flops, 32 * 2 * 8 * 4096 * 14336);
    assert.equal(gate.bytes, 32 * ((4096 * 14336 * 4.125) / 8 + 8 * (4096 + 14336) * 2));
    assert.deepEqual(gate.formats, {
      weight: 'int4_g128',
      activation: 'fp16',
      output: 'fp16',
      kv: null,
      compute: 'fp16',
    });
    assert.equal(ops.find(op => op.name === 'attention').formats.kv, 'fp8_e4m3');
    assert.equal(summary.parameters, 8030261248);
    assert.equal(summary.active_parameters, 8030261248);
    assert.equal(summary.weights_bytes, (8030261248 * 4.125) / 8);
    assert.equal(summary.kv_bytes_per_token, 65536);
    assert.equal(summary.kv_bytes, 8 * 4096 * 65536);
    assert.equal(summary.fits, true);
    assert.ok(summary.activation_bytes > 0 && summary.ttft_s > summary.tpot_s);
    close(summary.tpot_s, summary.predicted_time_s, 1e-9);
    close(summary.tokens_per_s, 8 / summary.tpot_s, 1e-9);
    close(summary.tokens_per_s_per_user, 1 / summary.tpot_s, 1e-9);
    assert.match(summary.finding, /^Decode at batch 8 is memory-bound on HBM: \d+% of the bytes are weights\. /);
    assert.ok(
      summary.changes.every(
        ({ change, tokens_per_s_factor, latency_factor, patch }) =>
          change && tokens_per_s_factor > 1 && latency_factor > 0 && patch,
      ),
    );
  });

  await test('llm: rows and summary state the same times', () => {
    const runs = [
      [['--phase', 'decode', '--batch', '256', '--context', '512'], 'tpot_s'],
      [['--phase', 'prefill', '--batch', '4', '--prompt', '1500'], 'ttft_s'],
      [['--phase', 'generate', '--prompt', '300', '--generate', '700', '--batch', '64'], 'total_s'],
    ];
    const settings = [[], ['overlap=0'], ['overlap=70', 'launch_us=4'], ['network=fp32', 'compute=50']];
    for (const [run, time] of runs)
      for (const overhead of settings) {
        const { ops, summary } = document(
          'llama-3-8b',
          '--machine',
          'h100-sxm',
          ...run,
          ...overhead.flatMap(text => ['--set', `overhead.${text}`]),
        );
        close(
          ops.reduce((sum, op) => sum + op.predicted_time_s, 0),
          summary[time],
          1e-12,
        );
        close(
          ops.reduce((sum, op) => sum + op.typical_time_s, 0),
          summary[`typical_${time}`],
          1e-12,
        );
      }
  });

  await test('llm: a config.json, from its file, its folder and standard input', () => {
    put('my-model.json', JSON.stringify(config));
    mkdirSync(join(folder, 'llama-copy'));
    put('llama-copy/config.json', JSON.stringify(config));
    const preset = document('llama-3-8b');
    for (const [args, name] of [
      [['my-model.json'], 'my-model'],
      [['llama-copy/config.json'], 'llama-copy'],
    ]) {
      const ours = document(...args);
      assert.equal(ours.source, name);
      assert.deepEqual(ours.ops, preset.ops);
    }
    const { status, out } = roofline(['llm', '-', '-o', 'json'], { input: JSON.stringify(config) });
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(out).ops, preset.ops);
  });

  await test('llm: phases, attention, speculation, parallelism', () => {
    const prefill = document(
      'llama-3-8b',
      '--phase',
      'prefill',
      '--prompt',
      '1024',
      '--attention',
      'unfused',
      '--machine',
      'h100-sxm',
    );
    assert.ok(['qk', 'softmax', 'pv'].every(name => prefill.ops.some(op => op.name === name)));
    const pairs = 1024 * 1024 - (1024 * 1023) / 2;
    assert.equal(prefill.ops.find(op => op.name === 'qk').flops, 32 * 2 * 32 * 128 * pairs);
    assert.equal(
      document(
        'llama-3-8b',
        '--phase',
        'prefill',
        '--prompt',
        '1024',
        '--attention',
        'unfused',
        '--no-causal',
      ).ops.find(op => op.name === 'qk').flops,
      32 * 2 * 32 * 128 * 1024 * 1024,
    );
    const generated = document(
      'llama-3-8b',
      '--phase',
      'generate',
      '--prompt',
      '1024',
      '--generate',
      '256',
      '--machine',
      'h100-sxm',
    );
    assert.deepEqual(
      generated.steps.map(({ name }) => name),
      ['prefill', 'decode'],
    );
    close(generated.summary.total_s, generated.summary.predicted_time_s, 1e-9);
    close(generated.summary.total_s, generated.summary.ttft_s + 255 * generated.summary.tpot_s, 1e-9);
    const sharded = document('mixtral-8x7b', '--tp', '2', '--ep', '4', '--batch', '64', '--machine', 'h100-sxm');
    assert.equal(sharded.summary.machines, 4);
    const reduce = sharded.ops.find(op => op.name === 'all_reduce');
    assert.equal(reduce.bound_by, 'NVLink');
    assert.ok(sharded.ops.some(op => op.name === 'all_to_all'));
    const speculative = document('llama-3.1-70b', '--speculate', '4,0.8,llama-3.2-1b', '--machine', 'h200-sxm');
    assert.deepEqual(
      speculative.steps.map(({ name }) => name),
      ['verify', 'draft'],
    );
    close(speculative.summary.tokens_per_step, 3.3616, 1e-9);
  });

  await test('llm: measured times and files', () => {
    const timed = document(
      'mistral-7b',
      '--machine',
      't4',
      '--phase',
      'generate',
      '--prompt',
      '42',
      '--generate',
      '32',
      '--weights',
      'nf4',
      '--measured-s',
      '2.172',
    );
    assert.equal(timed.summary.measured.length, 1);
    assert.equal(timed.summary.measured[0].bottleneck, 'memory-bound');
    assert.ok(timed.summary.measured[0].mfu < 0.02 && timed.summary.measured[0].explanations.length > 2);
    put('bench.json', JSON.stringify([{ model_type: 'llama 7B', n_prompt: 512, n_gen: 0, avg_ns: 5e8, avg_ts: 1024 }]));
    const [bench] = document('llama-2-7b', '--machine', 'a100-80gb-sxm', '--measured', 'bench.json').summary.measured;
    assert.deepEqual([bench.name, bench.phase, bench.time_s], ['pp512', 'prefill', 0.5]);
  });

  await test('llm: measured points in the picture', () => {
    put(
      'points.json',
      JSON.stringify([
        { name: 'batch 8 & up', oi: 5.5, tflops: 4.2 },
        { name: 'prefill', oi: 700, tflops: 180 },
      ]),
    );
    const { status, out } = roofline([
      'llm',
      'llama-3-8b',
      '--machine',
      'a100-80gb-sxm',
      '--batch',
      '8',
      '--measured',
      'points.json',
      '-o',
      'svg',
    ]);
    assert.equal(status, 0);
    assert.ok(out.includes('<title>batch 8 &amp; up, measured: 4.2 TFLOP/s at 5.5 FLOP/B</title>'), 'its title');
    assert.ok(out.includes('>measured 2</text>'), 'the legend');
    const { measured } = document('llama-3-8b', '--machine', 'a100-80gb-sxm', '--measured', 'points.json').summary;
    assert.deepEqual(
      measured.map(({ intensity, achieved_flops }) => [intensity, achieved_flops]),
      [
        [5.5, 4.2e12],
        [700, 180e12],
      ],
    );
  });

  await test('llm: what a measured generation says', () => {
    // The earlier toolkit's question analyze(prompt_len=42, gen_tokens=32, measured_time=2.172), and its own run of it.
    const [m] = document(
      'mistral-7b',
      '--machine',
      't4',
      '--phase',
      'generate',
      '--prompt',
      '42',
      '--generate',
      '32',
      '--weights',
      'nf4',
      '--measured-s',
      '2.172',
    ).summary.measured;
    assert.equal(m.bottleneck, 'memory-bound');
    close(m.achieved_flops, 0.49e12, 0.05); // its 0.49 TFLOP/s, and its 14.7 tokens a second
    close(32 / m.time_s, 14.7, 0.005);
    close(m.mfu, m.achieved_flops / 65e12, 0.02);
    close(m.mbu, m.achieved_bandwidth / 320e9, 1e-9);
    // 16-bit weights, widened before use, explain most of what NF4 weights do not.
    assert.ok(
      m.explanations.some(({ assumption }) => assumption === 'weights are dequantised to 16 bits in memory before use'),
    );
    const distance = ({ time_s }) => Math.abs(Math.log(time_s / m.time_s));
    assert.deepEqual(
      m.explanations.map(distance),
      m.explanations.map(distance).sort((a, b) => a - b),
    );
  });

  await test('llm: sweeps', () => {
    const sweep = (...args) => {
      const { status, out, err } = roofline(['llm', ...args]);
      assert.equal(status, 0, err);
      return out;
    };
    const base = ['llama-3-8b', '--machine', 'a100-80gb-sxm', '--context', '4096'];
    const json = JSON.parse(
      sweep(...base, '--sweep', 'batch=1..512:32', '--sweep', 'weights=fp16,int4_g128', '-o', 'json'),
    );
    assert.equal(json.schema, 'roofline-llm-sweep/1');
    assert.deepEqual(
      [json.source, json.phase, json.axis.key, json.curves.length],
      ['llama-3-8b', 'decode', 'batch', 2],
    );
    const { values } = json.axis;
    assert.deepEqual([values[0], values.at(-1)], [1, 512]);
    const at = 10;
    const alone = document(...base, '--batch', String(values[at]), '--weights', 'int4_g128').summary;
    const [, int4] = json.curves;
    assert.deepEqual(
      [int4.choice, int4.tokens_per_s[at], int4.typical_tpot_s[at], int4.fits[at]],
      [{ weights: 'int4_g128' }, alone.tokens_per_s, alone.typical_tpot_s, alone.fits],
    );
    assert.match(
      int4.verdict,
      /^memory-bound all along: no batch is compute-bound, as the cache \(\d+% of the bytes at batch 512\) grows with it; fits up to batch [\d,]+, barely up to [\d,]+$/,
    );
    assert.equal(int4.fits_to, alone.largest_batch);
    const csv = sweep(...base, '--sweep', 'batch=1..512:32', '--sweep', 'weights=fp16,int4_g128', '-o', 'csv')
      .trim()
      .split('\r\n');
    assert.equal(csv.length, 1 + 2 * values.length);
    assert.match(csv[0], /^weights,batch,ttft_s,tpot_s,.*,bound_by,fits$/);
    assert.match(sweep(...base, '--sweep', 'batch=1..512:16'), /memory-bound all along[\s\S]*per token[\s\S]*512 /);
    assert.match(sweep(...base, '--sweep', 'machine=a100-80gb-sxm,h100-sxm'), /ridge[\s\S]*NVIDIA H100 SXM/);
    assert.match(
      sweep('llama-3-8b', '--machine', 'h100-sxm', '--phase', 'prefill', '--sweep', 'prompt=1..4096'),
      /compute-bound from prompt \d+ up/,
    );
    refused(2, [...base, '--sweep', 'layers=1..4'], /^--sweep: layers: expected batch, prompt or context/);
    refused(2, [...base, '--sweep', 'batch=9..2'], /^--sweep: /);
    refused(2, [...base, '--sweep', 'batch'], /^--sweep: .*expected a range such as batch=1\.\.512, or values/);
    refused(2, [...base, '--sweep', 'batch=1..4', '--sweep', 'prompt=1..4'], /^--sweep: expected one range/);
    refused(2, [...base, '--sweep', 'batch=1..4', '-o', 'svg'], /^--sweep: expected -o table, json, csv or html/);
    refused(2, [...base, '--sweep', 'kv=fp17'], /^--sweep: kv: unknown format "fp17"/);
  });

  await test('llm: the achievable answer and the cost', () => {
    const { summary } = document('llama-3-8b', '--machine', 'h100-sxm', '--price', '30000', '--batch', '32');
    const none = document('llama-3-8b', '--machine', 'h100-sxm', '--batch', '32', '--stack', 'none').summary;
    close(none.typical_tokens_per_s, none.tokens_per_s * none.achievable.bandwidth, 1e-9);
    assert.deepEqual(
      [none.estimate.stack, summary.estimate.stack, summary.estimate.basis],
      ['none', 'fused', 'fitted'],
    );
    close(
      Object.values(summary.estimate.terms).reduce((sum, s) => sum + s, 0),
      summary.typical_time_s,
      1e-9,
    );
    assert.ok(
      summary.typical_tokens_per_s < none.typical_tokens_per_s &&
        summary.estimate.error_median < 0.2 &&
        summary.estimate.rows > 20,
    );
    const off = document(
      'llama-3-8b',
      '--machine',
      'h100-sxm',
      '--batch',
      '32',
      '--set',
      'estimate.layer_us=0',
    ).summary;
    close(off.typical_time_s, summary.typical_time_s - summary.estimate.terms.layers, 1e-9);
    assert.equal(document('llama-3-8b', '--machine', 'rtx-4090').summary.estimate.stack, 'llama.cpp-cuda');
    assert.match(
      roofline(['llm', 'llama-3-8b', '--machine', 'h100-sxm']).out,
      /time per token +\S+ ms \(within [\d.]+% in half of \d+ published decode runs, within [\d.]+% in nine of ten\); bound/,
    );
    refused(2, ['llama-3-8b', '--stack', 'fuse'], /^--stack: unknown stack "fuse": did you mean fused\?/);
    close(summary.usd_per_million_tokens, (30000 / (4 * 365 * 86400) / summary.tokens_per_s) * 1e6, 1e-12);
    assert.deepEqual([summary.cost.price_usd, summary.cost.years], [30000, 4]);
    const rented = document('llama-3-8b', '--machine', 'h100-sxm', '--usd-per-hour', '2.5', '--batch', '32').summary;
    close(rented.usd_per_million_tokens, (2.5 / 3600 / rented.tokens_per_s) * 1e6, 1e-12);
    assert.equal(document('llama-3-8b', '--machine', 'h100-sxm').summary.usd_per_million_tokens, null);
    const { out } = roofline(['llm', 'llama-3-8b', '--machine', 'h100-sxm', '--price', '30000', '--years', '3']);
    assert.match(
      out,
      /cost +[\d.]+; bound [\d.]+ USD per million tokens, at 1\.14 USD an hour: 30,000 USD over 3 years/,
    );
    refused(2, ['llama-3-8b', '--price', '-1'], /^--price-usd: expected a positive number of US dollars, found -1/);
  });

  await test('llm: a context longer than the model was trained for is said, of every preset', () => {
    for (const [model, context, machines] of [
      ['llama-3-70b', 32768, 4],
      ['phi-3-mini', 2000000, 1],
      ['phi-3-medium', 8192, 1],
      ['phi-3-small', 16384, 1],
      ['mistral-nemo-12b', 200000, 1],
      ['llama-7b', 4096, 1],
    ]) {
      const { memory } = document(
        model,
        '--machine',
        'b200-sxm',
        '--context',
        `${context}`,
        '--tp',
        `${machines}`,
      ).summary;
      assert.equal(memory.verdict, 'context too long', model);
    }
    const fits = document('llama-3.1-70b', '--machine', 'b200-sxm', '--context', '32768', '--tp', '4').summary;
    assert.equal(fits.memory.verdict, 'fits');
  });

  await test('llm: what is not known is said, whatever the form', () => {
    for (const form of ['table', 'json', 'markdown']) {
      const args = ['llm', 'llama-3-8b', '--machine', 'jetson-agx-orin', '--tp', '2', '-o', form];
      assert.match(roofline(args).err, /warning: .* states no link: the time of all_reduce/);
    }
  });

  await test('llm: as a table', () => {
    const { status, out, err } = roofline([
      'llm',
      'deepseek-v3',
      '--machine',
      'h200-sxm',
      '--tp',
      '8',
      '--weights',
      'fp8',
      '--batch',
      '16',
    ]);
    assert.equal(status, 0, err);
    assert.match(err, /^deepseek-v3: info: The multi-token prediction layer is not counted\.$/m);
    assert.match(out, /^Decode at batch 16 is /);
    for (const text of [
      '671 billion parameters',
      '8 x NVIDIA H200',
      'time per token',
      'tokens/s',
      'what would help',
      'experts',
    ])
      assert.ok(out.includes(text), text);
  });

  await test('llm: what is wrong is told', () => {
    refused(2, ['llama-3-8c'], /^unknown model "llama-3-8c": did you mean llama-3-8b/);
    refused(
      2,
      ['llama-3-8b', '--batch', 'many'],
      /^--batch: expected a whole number from 1 to 1000000000, found "many"/,
    );
    refused(
      2,
      ['llama-3-8b', '--phase', 'train'],
      /^--phase: expected one of prefill, decode, generate; found "train"/,
    );
    refused(2, ['llama-3-8b', '--weights', 'fp17'], /^--weights: unknown format "fp17"/);
    refused(2, ['llama-3-8b', '--machine', 'nosuch'], /unknown machine "nosuch"/);
    refused(2, ['llama-3-8b', '--speculate', '4'], /^--speculate: expected GAMMA,ACCEPTANCE,DRAFT/);
    refused(2, ['llama-3-8b', '--measured-s', '0'], /^--measured-s: expected a positive number of seconds/);
    put('rwkv.json', '{"model_type": "rwkv", "hidden_size": 2048}');
    refused(
      1,
      ['rwkv.json'],
      /^rwkv\.json: the architecture "rwkv" is not known, and its config lacks num_hidden_layers, /,
    );
    refused(1, ['missing.json'], /^missing\.json: /);
    put('speed.json', '[{"speed": 1}]');
    refused(1, ['llama-3-8b', '--measured', 'speed.json'], /^speed\.json: \[0\]: not a measurement that is known/);
  });
}

await test_llm();
