// `roofline llm --phase serving`, tried as a user would.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { validate } from '../schemas.mjs';
import { binary, refused, roofline } from '../command.mjs';

const load = ['--phase', 'serving', '--machine', 'h200-sxm', '--prompt', '8000', '--generate', '1000'];
const llama = ['llm', 'llama-3.1-70b', '--weights', 'fp8_e4m3', ...load];

await test('an operating point: users in, times and throughput out', () => {
  const found = JSON.parse(roofline([...llama, '--tp', '4', '--concurrency', '64', '-o', 'json']).out);
  validate(binary, found);
  const s = found.summary;
  assert.deepEqual([found.schema, found.model, found.machine], ['roofline-serving/1', 'llama-3.1-70b', 'h200-sxm']);
  assert.equal(s.machines, 4);
  for (const prefix of ['', 'typical_']) {
    assert.ok(s[`${prefix}tpot_s`] > 0 && s[`${prefix}ttft_s`] > 0);
    assert.equal(s[`${prefix}output_tokens_per_s`] / 4, s[`${prefix}output_tokens_per_s_per_machine`]);
    assert.ok(Math.abs(s[`${prefix}tokens_per_s_per_user`] * s[`${prefix}tpot_s`] - 1) < 1e-12);
  }
  assert.ok(s.typical_tpot_s > s.tpot_s && s.typical_output_tokens_per_s < s.output_tokens_per_s);
  assert.ok(s.concurrency_max > 64);
  assert.ok(['prefill', 'compute', 'memory', 'link'].includes(s.bound_by));
  assert.ok(s.estimate.stack.length > 0);
});

await test('as a table', () => {
  const { status, out } = roofline([...llama, '--tp', '4', '--rate', '0.5']);
  assert.equal(status, 0);
  assert.match(out, /^0\.5 requests\/s on 4 x NVIDIA H200 SXM: 500 output tokens\/s, .* per token, first token after /);
  assert.match(out, /\nsaturation, requests\/s +\d/);
});

await test('prefill and decode on machines of their own', () => {
  const pools = ['--prefill-workers', '4', '--prefill-tp', '2', '--decode-workers', '2', '--decode-tp', '4'];
  const { summary } = JSON.parse(roofline([...llama, '--concurrency', '64', ...pools, '-o', 'json']).out);
  assert.equal(summary.machines, 16);
  assert.ok(summary.transfer_s > 0 && summary.typical_ttft_s > summary.transfer_s);
  const open = JSON.parse(roofline([...llama, '--rate', '1.5', ...pools, '-o', 'json']).out).summary;
  assert.equal(open.typical_requests_per_s, 1.5);
  assert.ok(open.saturation_rate > 1.5 && open.typical_tpot_s < summary.typical_tpot_s);
  refused(
    2,
    [...llama, '--rate', '50', ...pools],
    /--rate: 50 requests\/s are beyond saturation: 8 x NVIDIA H200 SXM for prefill and 8 x NVIDIA H200 SXM for decode serve [\d.]+ requests\/s at most, limited by prefill; .* more prefill workers/,
  );
  refused(
    2,
    [...llama, '--concurrency', '64', '--decode-workers', '2'],
    /--decode-workers: expected prefill_workers, too/,
  );
});

await test('either pool may have data-parallel attention', () => {
  const deepseek = ['llm', 'deepseek-v3', '--phase', 'serving', '--machine', 'b200-sxm', '--weights', 'fp8_e4m3'];
  const pools = ['--prefill-workers', '2', '--prefill-tp', '8', '--decode-workers', '1', '--decode-tp', '8'];
  const answer = (...more) =>
    JSON.parse(
      roofline([
        ...deepseek,
        '--prompt',
        '8192',
        '--generate',
        '1024',
        '--concurrency',
        '512',
        ...pools,
        ...more,
        '-o',
        'json',
      ]).out,
    ).summary;
  const tensor = answer(),
    prefill = answer('--prefill-attention-dp'),
    decode = answer('--decode-attention-dp');
  assert.equal(prefill.concurrency_max, tensor.concurrency_max);
  assert.notEqual(prefill.ttft_s, tensor.ttft_s);
  assert.ok(decode.concurrency_max > 4 * tensor.concurrency_max);
  assert.deepEqual(answer('--attention-dp'), decode);
  refused(
    2,
    [...llama, '--concurrency', '4', '--decode-attention-dp'],
    /--decode-attention-dp: expected prefill_workers, too/,
  );
});

await test('what cannot be served is refused with a word', () => {
  refused(2, [...llama, '--tp', '4'], /--concurrency: expected a number of users, or a rate/);
  refused(
    2,
    [...llama, '--tp', '4', '--rate', '50'],
    /--rate: 50 requests\/s are beyond saturation: .* serve [\d.]+ requests\/s/,
  );
  refused(
    2,
    [...llama, '--tp', '5', '--concurrency', '1'],
    /--tp: expected a divisor of the model's 64 attention heads/,
  );
  refused(
    2,
    ['llm', 'llama-3.1-70b', ...load, '--concurrency', '1'],
    /--machine: does not fit with 10% of the memory free: 141 GB of weights/,
  );
  refused(2, [...llama, '--tp', '4', '--concurrency', '1', '-o', 'csv'], /expected -o table or json/);
});

const search = ['frontier', 'llama-3.1-70b', '--prompt', '8000', '--generate', '1000', '--machines'];

await test('a frontier of three machines', () => {
  const args = [
    ...search,
    'h100-sxm,b200-sxm,mi355x',
    '--gpus',
    '8',
    '--weights',
    'published,fp8_e4m3',
    '--tpot-max',
    '20ms',
  ];
  const found = JSON.parse(roofline([...args, '-o', 'json']).out);
  validate(binary, found);
  assert.deepEqual(
    found.machines.map(({ id }) => id),
    ['h100-sxm', 'b200-sxm', 'mi355x'],
  );
  assert.equal(found.tpot_max, 0.02);
  assert.ok(found.evaluated > 1000);
  for (const { picks, points } of found.machines) {
    assert.deepEqual(
      picks.map(pick => pick.tokens_per_s_per_user),
      [null, 20, 50, 100],
    );
    assert.ok(picks[0].best.tpot_s <= 0.02 && picks[0].binds.length > 0 && picks[0].next_loses >= 0);
    assert.match(picks[0].launch.vllm, /vllm serve meta-llama\/Llama-3\.1-70B --tensor-parallel-size \d/);
    assert.match(picks[0].launch.benchmark, /--random-input-len 8000 --random-output-len 1000 .*--max-concurrency \d+/);
    assert.ok(points.some(({ pareto }) => pareto) && points.some(({ pareto }) => !pareto));
  }
  const rows = roofline([...args, '-o', 'csv'])
    .out.trim()
    .split('\n');
  assert.equal(rows.length - 1, found.machines.flatMap(({ points }) => points).length);
  const svg = roofline([...args, '-o', 'svg']).out;
  assert.match(svg, /^<svg .*\n<title>Llama 3\.1 70B, 8,000 tokens in, 1,000 out<\/title>/);
  assert.equal(svg.match(/<path d="M[^"]*Z"/g).length, 2); // a band of error each, where runs of the machine are published
  assert.match(
    found.finding,
    /^Within the limits, NVIDIA B200 SXM has the highest throughput per machine: [\d,]+ output tokens\/s, with /,
  );
  assert.match(
    roofline(args).out,
    /^Within the limits, .*\n[\d,]+ operating points searched\.\n\nNVIDIA H100 SXM: \d+ layouts and formats/,
  );
});

await test('a frontier for a number of users', () => {
  const args = [...search, 'h100-sxm,b200-sxm,rtx-4090', '--weights', 'fp8_e4m3', '--gpus', '2', '--concurrency', '16'];
  const found = JSON.parse(roofline([...args, '-o', 'json']).out);
  validate(binary, found);
  assert.equal(found.concurrency, 16);
  for (const { name, picks, unfit, points } of found.machines) {
    const { best, concurrency, throughput, missed } = picks[found.main_pick];
    assert.equal(concurrency, 16);
    for (const p of points)
      assert.ok(Math.abs((p.tokens_per_s / 1000) * p.request_s - p.concurrency) < 1e-6 * p.concurrency, p.layout);
    if (name === 'NVIDIA GeForce RTX 4090') {
      assert.match(
        unfit,
        /^does not fit: [\d.]+ GB of weights, .* on each NVIDIA GeForce RTX 4090 with [\d.]+ GB to use/,
      );
      assert.equal(missed, 'the model does not fit');
    } else {
      assert.equal(best.concurrency, 16);
      assert.match(picks[found.main_pick].launch.vllm, /--max-num-seqs (8|16) .*--max-model-len 9000 /);
      assert.match(
        throughput,
        /^16 users x 1,000 tokens \/ [\d.]+ s per request = [\d,]+ tokens\/s, [\d,]+ on each of 2 /,
      );
    }
  }
  assert.match(found.finding, /^For 16 users, NVIDIA B200 SXM .* The model does not fit on NVIDIA GeForce RTX 4090\.$/);
  assert.match(roofline(args).out, /\n16 users +[\d,]+ .*\n16 users x 1,000 tokens \//);
  refused(2, [...search, 'h100-sxm', '--concurrency', '0'], /--concurrency: expected a whole number from 1/);
  refused(2, [...args, '--speculate', '3'], /--speculate: expected GAMMA,ACCEPTANCE,DRAFT/);
});

await test('prices of a frontier are chosen, or stated for each machine', () => {
  const of = (...options) =>
    JSON.parse(roofline([...search, 'h100-sxm,b200-sxm', '--weights', 'fp8_e4m3', ...options, '-o', 'json']).out)
      .machines;
  for (const { usd_per_hour, prices, picks } of of()) {
    assert.equal(usd_per_hour, null);
    assert.ok(prices.length > 0 && prices.every(({ source }) => source.length > 0));
    assert.equal(picks[0].best.usd_per_million_tokens, null);
  }
  const prices = options => of(...options).map(({ usd_per_hour }) => usd_per_hour);
  assert.deepEqual(prices(['--price', 'rented']), [1.3, 2.9]);
  assert.deepEqual(prices(['--price', 'rented', '--usd-per-hour', 'b200-sxm=5']), [1.3, 5]);
  assert.deepEqual(prices(['--usd-per-hour', '2']), [2, 2]);
  const [{ picks }] = of('--usd-per-hour', 'h100-sxm=3.6');
  const { usd_per_million_tokens, tokens_per_s_per_machine } = picks[0].best;
  assert.ok(Math.abs(usd_per_million_tokens - 1000 / tokens_per_s_per_machine) < 1e-9);
  refused(
    2,
    [...search, 'h100-sxm', '--price', 'leased'],
    /--price: no price of these machines contains "leased": expected a part of "/,
  );
  refused(2, [...search, 'h100-sxm', '--machine', 'l4'], /--machine: .* list the machines in --machines/);
  refused(2, [...search, 'h100-sxm', '--usd-per-hour', 'h100-sxm=0'], /--usd-per-hour\.h100-sxm: expected US dollars/);
});

await test('prefill may be on other machines', () => {
  const args = [...search, 'h200-sxm', '--weights', 'fp8_e4m3', '--gpus', '8', '--disaggregated', '-o', 'json'];
  const [own] = JSON.parse(roofline(args).out).machines;
  const priced = ['--usd-per-hour', 'h200-sxm=2,b200-sxm=4', '--prefill-machines', 'b200-sxm'];
  const [{ points, picks }] = JSON.parse(roofline([...args, ...priced]).out).machines;
  const mixed = points.filter(({ prefill_machine }) => prefill_machine === 'b200-sxm');
  assert.ok(mixed.length > 0 && own.points.every(({ prefill_machine }) => prefill_machine === null));
  for (const p of mixed) {
    assert.match(p.layout, /prefill( TP\d)? on NVIDIA B200 SXM \+ /);
    const prefill = p.prefill_workers * p.prefill_tp;
    const cost = (prefill * 4 + (p.machines - prefill) * 2) / 3600 / p.tokens_per_s;
    assert.ok(Math.abs(p.usd_per_million_tokens / (cost * 1e6) - 1) < 1e-9);
    const watts = prefill * 2170 + (p.machines - prefill) * 1730; // all-in
    assert.ok(Math.abs(p.joules_per_token / (watts / p.tokens_per_s) - 1) < 1e-9);
  }
  assert.ok(picks[1].best.tokens_per_s_per_machine >= own.picks[1].best.tokens_per_s_per_machine);
  refused(2, [...search, 'h200-sxm', '--prefill-machines', 'b200-sxm'], /--prefill-machines: expected disaggregated/);
});

await test("a benchmark's result is a ring, in a picture and in a report", () => {
  const run = { mean_tpot_ms: 25, mean_ttft_ms: 900, output_throughput: 2400, max_concurrency: 64, completed: 640 };
  const folder = mkdtempSync(join(tmpdir(), 'roofline-'));
  const file = join(folder, 'result.json');
  writeFileSync(file, JSON.stringify({ ...run, total_input_tokens: 5_120_000, total_output_tokens: 640_000 }));
  const args = [...search, 'h200-sxm', '--weights', 'fp8_e4m3', '--gpus', '8', '--measured', file, '-o'];
  const svg = roofline([...args, 'svg']).out;
  assert.match(svg, /<circle [^>]*r="5"[^>]*><title>measured, 64 users<\/title>/);
  const page = join(folder, 'page.html');
  writeFileSync(page, '<script type="application/json" id="report"></script>');
  const [, report] = /id="report">([^<]*)</.exec(roofline([...args, 'html', '--template', page]).out);
  const { source, view } = JSON.parse(report).link;
  assert.deepEqual([source.request.prompt, source.request.generate, view.tab], [8000, 1000, 'serving']);
  assert.deepEqual([view.serving.machines, view.serving.gpus], [['h200-sxm'], 8]);
  const [shown] = view.serving.runs;
  assert.deepEqual(
    [shown.machine, shown.machines, shown.tpot_s, shown.output_tokens_per_s, shown.prompt, shown.generate],
    ['h200-sxm', 8, 0.025, 2400, 8000, 1000],
  );
  refused(2, [...args, 'csv'], /--measured puts runs on the chart: expected -o svg or html/);
  const header =
    'max_concurrency,completed,total_input_tokens,total_output_tokens,output_throughput,mean_ttft_ms,mean_tpot_ms';
  const rows = [
    '64,640,5120000,640000,2400,900,25',
    '128,640,5120000,640000,4000,900,30',
    '64,640,81920,640000,2400,900,25',
  ];
  writeFileSync(file, `${header}\n${rows.join('\n')}\n`);
  const swept = roofline([...args, 'svg']);
  assert.equal(swept.out.match(/<title>measured, /g).length, 2);
  assert.match(swept.err, /1 of 3 runs have other lengths, the first 128 tokens in and 1,000 out, and are not drawn/);
  const { measured } = JSON.parse(roofline(['llm', 'llama-3.1-70b', '--measured', file, '-o', 'json']).out).summary;
  assert.deepEqual(
    measured.slice(0, 2).map(({ name, time_s }) => [name, time_s]),
    [
      ['TTFT', 0.9],
      ['TPOT', 0.025],
    ],
  );
  writeFileSync(file, '{"duration": 3}');
  refused(1, [...args, 'svg'], /result\.json: expected a mean time per token/);
  rmSync(folder, { recursive: true });
});

await test('a frontier that cannot be searched is refused with a word', () => {
  refused(2, [...search, 'h100'.repeat(2)], /--machines: .*h100h100/);
  refused(2, [...search, 'h100-sxm', '--tpot-max', '0ms'], /--tpot-max: expected a positive number of seconds/);
  refused(2, [...search, 'h100-sxm', '--tpot-max', '20 minutes'], /--tpot-max: expected a positive number of seconds/);
  assert.match(
    roofline([...search, 'h100-sxm', '--gpus', '1', '--weights', 'fp16']).out,
    /1 layout does not fit.*\nThe model does not fit: 141 GB of weights, .* on each NVIDIA H100 SXM with [\d.]+ GB to use/,
  );
});

await test('a context beyond training is said', () => {
  const long = ['--prompt', '100000', '--generate', '1000'];
  const said = /The context of 100,999 tokens is longer than the 8,192 that the model was trained for\./;
  const point = [
    'llm',
    'llama-3-70b',
    '--machine',
    'h200-sxm',
    '--tp',
    '4',
    '--phase',
    'serving',
    '--concurrency',
    '2',
  ];
  assert.match(roofline([...point, ...long]).out, said);
  const found = ['frontier', 'llama-3-70b', '--machines', 'h200-sxm', '--gpus', '8', '--weights', 'fp8_e4m3'];
  assert.match(roofline([...found, ...long]).out, said);
});
