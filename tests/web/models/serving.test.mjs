// The Serving tab: model, lengths, limits, a limit dragged, the pick and its commands, the link, exports.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { fromWeb, openPage, root } from '../browser.mjs';
import { check } from '../harness.mjs';
import { stateOf } from '../walk/core.mjs';

const roofline = process.env.ROOFLINE ?? join(root, 'build/native/roofline');

const encode = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
const request = {
  model: 'llama-3.1-70b',
  phase: 'decode',
  prompt: 8000,
  generate: 1000,
};
const link = (serving, rest = {}) =>
  encode({
    source: { built: 'model', request: { ...request, ...rest } },
    settings: { machine: 'h100-sxm' },
    view: { tab: 'serving', serving: { users: 0, ...serving } },
  });
const three = {
  machines: ['h100-sxm', 'b200-sxm', 'mi355x'],
  weights: ['published', 'fp8_e4m3'],
  gpus: 8,
};

const table = page => page.page.getByRole('region', { name: 'Best deployments' });
const handle = (page, name) => page.page.getByRole('slider', { name });
const served = async page => JSON.parse(Buffer.from((await page.link()).split('#')[1], 'base64url')).view.serving;

test('the serving frontier of a model', async () => {
  const planned = {
    ...request,
    model: 'llama-3.1-8b',
    prompt: 1024,
    context: 9000,
    batch: 64,
  };
  const source = { built: 'model', request: planned };
  const page = await openPage(encode({ source, settings: { machine: 'h100-sxm' } }), {
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.show('Serving');
  await table(page).waitFor();
  const model = page.inputs.getByRole('combobox', {
    name: 'Model',
    exact: true,
  });
  await model.click();
  await model.fill('Llama 3.1 70B');
  await page.page.keyboard.press('Enter');
  await page.settled();
  const field = name => page.view.getByRole('spinbutton', { name, exact: true });
  const load = () => Promise.all(['Prompt, tokens', 'Answer, tokens', 'Users'].map(name => field(name).inputValue()));
  await check("the load is that of the model's plan", async () => {
    assert.deepEqual(await load(), ['8000', '1000', '64']);
    assert.equal(
      await page.view.getByText("Batch, prompt and answer: as in the model's plan").getAttribute('title'),
      'Batch 64; the prompt is the context of 9,000 minus the answer',
    );
    assert.match(await page.headline(), /^For 64 users, NVIDIA B300 SXM has the highest throughput per machine: /);
  });
  const planCommands = page.page.getByRole('region', { name: 'Commands' });
  await check('and so are the commands', async () => {
    assert.match(await page.text(planCommands), /vllm serve meta-llama\/Llama-3\.1-70B .* --max-model-len 9000/);
    await planCommands.getByRole('button', { name: 'Benchmark', exact: true }).click();
    assert.match(
      await page.text(planCommands),
      /--random-input-len 8000 --random-output-len 1000 .*--max-concurrency 64 --num-prompts 640/,
    );
  });
  await check('its throughput follows from the figures beside it', async () => {
    const words = await page.text(planCommands);
    const [, request, total] = /64 users x 1,000 tokens \/ ([\d.]+) s per request = ([\d,]+) tokens\/s/.exec(words);
    assert.ok(Math.abs((64 * 1000) / request / Number(total.replace(',', '')) - 1) < 0.006, words);
  });
  await page.inputs.getByRole('spinbutton', { name: /^Batch/ }).fill('32');
  await page.settled();
  await check('it follows the plan', async () => assert.match(await page.headline(), /^For 32 users, /));
  await field('Users').fill('');
  await page.settled();
  await check('without users, any number is searched', async () =>
    assert.match(await page.headline(), /^At 20 tokens\/s per user or more, /),
  );
  await page.view.getByRole('button', { name: "As in the model's plan" }).click();
  await page.settled();
  await check("the plan's load comes back", async () => assert.deepEqual(await load(), ['8000', '1000', '32']));
  await field('Users').fill('');
  await page.settled();
  const machines = page.page.getByRole('list', { name: 'Machines', exact: true }).getByRole('listitem');
  const listed = (await page.texts(machines)).slice(0, -1);
  await check('it says why Machines has other figures', async () =>
    assert.match(
      await page.text(page.view),
      /new prompts, one at a time, interrupt.*Machines and Inference run one batch/s,
    ),
  );
  await page.show('Machines');
  await page.settled();
  const [, fastest] = /^(?:\d+ x )?(.+?) is the fastest/.exec(await page.headline());
  await page.show('Serving');
  await table(page).waitFor();
  await page.settled();
  await check('the machine in force is searched with the fastest that Machines names, and usual ones', async () => {
    assert.equal(listed.length, 4, listed.join());
    assert.deepEqual(listed.slice(0, 2), ['NVIDIA H100 SXM', fastest]);
    assert.ok(listed.includes('NVIDIA H200 SXM'), listed.join());
  });
  const before = await page.headline();
  await check('the headline says which machine makes the most, and how', async () =>
    assert.match(
      before,
      /^At 20 tokens\/s per user or more, NVIDIA B300 SXM has the highest throughput per machine: [\d,]+ output tokens\/s/,
    ),
  );

  await page.page.evaluate(readFileSync(fromWeb.resolve('axe-core/axe.min.js'), 'utf8'));
  const violations = await page.page.evaluate(() =>
    window.axe
      .run(document, { resultTypes: ['violations'] })
      .then(({ violations }) =>
        violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
      ),
  );
  await check('axe finds nothing serious', async () => assert.deepEqual(violations, []));

  await field('Prompt, tokens').fill('2000');
  await page.settled();
  await check('a shorter prompt leaves more for answers', async () => {
    const most = text => Number(/: ([\d,]+) output/.exec(text)[1].replace(',', ''));
    assert.ok(most(await page.headline()) > most(before));
  });

  // A limit that is dragged.
  const tpot = handle(page, 'Longest time per token');
  const box = await tpot.boundingBox();
  await page.page.mouse.move(box.x + box.width / 2, box.y + 150);
  await page.page.mouse.down();
  const seen = new Set();
  for (let i = 1; i <= 12; ++i) {
    await page.page.mouse.move(box.x + box.width / 2 + 30 * i, box.y + 150);
    seen.add(await tpot.getAttribute('aria-valuetext'));
  }
  await check('the limit follows the pointer while it is held', async () => assert.equal(seen.size, 12, [...seen]));
  await page.page.mouse.up();
  await page.settled();
  const { tpotMax } = await served(page);
  await check('all of the best are within it', async () => {
    assert.ok(tpotMax > 0.001 && tpotMax < 0.2);
    assert.match(await page.headline(), /^Within the limits, /);
    const speeds = await page.column(table(page), 'Tokens/s per user');
    assert.ok(speeds.length >= 12);
    for (const speed of speeds.filter(text => !text.includes('–'))) assert.ok(Number(speed) >= 0.99 / tpotMax, speed);
  });
  await tpot.press('Delete');
  await page.settled();
  await check('Delete removes it', async () => assert.equal((await served(page))?.tpotMax, undefined));
  await page.page.keyboard.press('Control+z');
  await page.settled();
  await check('undo brings it back', async () => assert.equal((await served(page)).tpotMax, tpotMax));

  // The pick.
  await table(page)
    .getByRole('button', {
      name: /NVIDIA H100 SXM, 50 tokens\/s per user or more/,
    })
    .click();
  const commands = page.page.getByRole('region', { name: 'Commands' });
  for (const [engine, text] of [
    ['vLLM', /vllm serve meta-llama\/Llama-3\.1-70B --tensor-parallel-size/],
    ['SGLang', /sglang\.launch_server/],
    ['TensorRT-LLM', /tensor_parallel_size: /],
    ['Benchmark', /vllm bench serve .*--random-input-len 2000 --random-output-len 1000/],
  ]) {
    await commands.getByRole('button', { name: engine, exact: true }).click();
    await commands.getByRole('button', { name: 'Copy' }).click();
    await commands.getByRole('button', { name: 'Copied' }).waitFor();
    await check(`${engine}: its command is copied`, async () =>
      assert.match(await page.page.evaluate(() => navigator.clipboard.readText()), text),
    );
    await page.page.getByRole('button', { name: 'Copied' }).waitFor({ state: 'detached' });
  }

  // Prices.
  await page.page.getByLabel('Show', { exact: true }).selectOption({ label: 'USD per million output tokens' });
  await check('no price is assumed', async () =>
    assert.match(await page.text(page.view), /Choose a price, or type one per machine: none is assumed/),
  );
  await page.page.getByLabel('Price', { exact: true }).selectOption('rented for 3 years, 25% upfront');
  await page.settled();
  const price = page.page.getByRole('spinbutton', {
    name: 'USD per hour of NVIDIA H100 SXM',
  });
  await check("a machine's price, of its source", async () => assert.equal(await price.inputValue(), '1.3'));
  await price.fill('2.5');
  await page.settled();
  await check('and one of my own', async () => assert.deepEqual((await served(page)).usd, { 'h100-sxm': 2.5 }));
  await page.page.getByLabel('Price', { exact: true }).selectOption('my own');
  await page.settled();
  await check('which stays without the list', async () => {
    const { price: list, usd } = await served(page);
    assert.deepEqual([list, usd], [undefined, { 'h100-sxm': 2.5 }]);
  });

  // Shared.
  const [words, address] = [await page.text(table(page)), await page.link()];
  page.assertQuiet();
  await page.close();
  const again = await openPage(address, {
    viewport: { width: 1440, height: 900 },
  });
  await table(again).waitFor();
  await again.settled();
  await check('the link shows the same', async () => assert.equal(await again.text(table(again)), words));
  again.assertQuiet();
  await again.close();
});

test('what the page says of a frontier is what the command says', async () => {
  const page = await openPage(
    link({
      ...three,
      tpotMax: 0.05,
      users: 24,
      prefixHit: 0.5,
      lengthSpread: 0.8,
      ttft: 'steady',
    }),
    {
      viewport: { width: 1440, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    },
  );
  await table(page).waitFor();
  await page.settled();
  const saved = async kind => {
    const waiting = page.page.waitForEvent('download');
    await page.page.getByRole('button', { name: `Save as ${kind}` }).click();
    return readFileSync(await (await waiting).path(), 'utf8');
  };
  const [csv, json] = [await saved('CSV'), JSON.parse(await saved('JSON'))];
  await check('CSV: a row per point', async () =>
    assert.equal(csv.trim().split('\n').length - 1, json.machines.flatMap(({ points }) => points).length),
  );
  await check('the headline is the finding', async () =>
    assert.equal((await page.headline()).replace(/\s+/g, ' ').trim(), json.finding),
  );
  await page.page.getByRole('button', { name: 'Copy as command' }).click();
  await page.page.getByRole('button', { name: 'Copied' }).waitFor();
  const [name, ...args] = (await page.page.evaluate(() => navigator.clipboard.readText())).split(' ');
  assert.equal(name, 'roofline');
  const run = kind =>
    execFileSync(roofline, [...args, '-o', kind], {
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
  await check('the command writes the same CSV', async () => assert.equal(csv, run('csv')));
  await check('and the same JSON', async () => assert.deepEqual(json, JSON.parse(run('json'))));
  page.assertQuiet();
  await page.close();
});

test('a frontier that meets no limit, fits nowhere, or is refused', async () => {
  const tight = await openPage(link({ machines: ['h100-sxm'], tpotMax: 0.004 }));
  await table(tight).waitFor();
  await check('the nearest, and by how much it misses', async () => {
    assert.match(await tight.headline(), /^No deployment meets the limits\. The nearest, .*, takes [\d.]+x the time\./);
    assert.match(await tight.text(table(tight)), /none; the nearest, .*, takes [\d.]+x the time/);
  });
  await tight.close();
  const large = await openPage(link({ machines: ['rtx-4090'], gpus: 1 }));
  await table(large).waitFor();
  await check('what fits nowhere says so', async () => {
    assert.match(await large.headline(), /^The model fits on none of these machines\./);
    const words = await large.text(large.view);
    assert.match(words, /1 layout does not fit\. The model does not fit: 141 GB of weights, .* with [\d.]+ GB to use/);
    assert.match(await large.text(table(large)), /the model does not fit/);
  });
  await large.close();
  const wrong = await openPage(link({ machines: ['no-such-machine'] }));
  await wrong.page.getByRole('alert').first().waitFor();
  await check('an unknown machine is named', async () =>
    assert.match(await wrong.alert(), /machines\[0\]: unknown machine "no-such-machine"/),
  );
  await wrong.close();
});

test("published runs and a benchmark's result are rings", async () => {
  const page = await openPage(
    link({ machines: ['h200-sxm'], weights: ['fp8_e4m3'], gpus: 8 }, { prompt: 8192, generate: 1024 }),
    { viewport: { width: 1440, height: 900 } },
  );
  await table(page).waitFor();
  await page.page.getByText(/Rings: \d+ published runs of this model at these lengths/).waitFor();
  const result = {
    mean_tpot_ms: 25,
    mean_ttft_ms: 900,
    output_throughput: 2400,
    max_concurrency: 64,
  };
  await page.drop({ 'result.json': JSON.stringify(result) });
  const runs = page.page.getByRole('list', { name: 'My runs' });
  await check('a dropped result is of the shown deployment', async () =>
    assert.match(await page.text(runs), /result\.json\s+64 users, 25 ms per token, 300 tokens\/s per machine on/),
  );
  await runs.getByRole('spinbutton', { name: 'Machines of result.json' }).fill('4');
  await check('on as many machines as I say', async () =>
    assert.match(await page.text(runs), /600 tokens\/s per machine/),
  );
  const { runs: kept } = await served(page);
  await check('the link has it', async () =>
    assert.deepEqual(
      [kept[0].machine, kept[0].machines, kept[0].tpot_s, kept[0].output_tokens_per_s],
      ['h200-sxm', 4, 0.025, 2400],
    ),
  );
  await page.drop({
    'sweep.csv':
      'max_concurrency,completed,total_input_tokens,total_output_tokens,output_throughput,mean_ttft_ms,mean_tpot_ms\n' +
      '32,100,819200,102400,1600,500,20\n32,100,12800,102400,1600,500,20\n',
  });
  await check('a table has a ring for each run at these lengths', async () => {
    const text = await page.text(runs);
    assert.match(text, /sweep\.csv\s+32 users, 8,192 in, 1,024 out, 20 ms per token/);
    assert.equal(text.match(/not on the chart: other lengths/g)?.length, 1);
  });
  const sglang = {
    backend: 'sglang',
    max_concurrency: 32,
    random_input_len: 8192,
    random_output_len: 1024,
    completed: 320,
  };
  await page.drop({
    'sglang.jsonl': `${JSON.stringify({ ...sglang, mean_tpot_ms: 21, output_throughput: 1500 }).slice(0, -1)}, "request_rate": Infinity}\n`,
  });
  await check("SGLang's lines, as Python writes them", async () =>
    assert.match(await page.text(runs), /sglang\.jsonl\s+32 users, .*21 ms per token/),
  );
  await page.drop({
    'medians.json': '{"median_tpot_ms": 20, "output_throughput": 100}',
  });
  await check('medians alone are refused', async () =>
    assert.match(await page.alert(), /expected a mean time per token.*medians and percentiles are no means/),
  );
  await page.drop({ 'wrong.json': '{"mean_tpot_ms": "soon"}' });
  await check('what is no result says why', async () =>
    assert.match(await page.alert(), /expected a mean time per token/),
  );
  await check('other files open as always', async () => {
    await page.drop({
      'run.json': JSON.stringify([{ name: 'a', type: 'fused', flops: 1e9, bytes: 1e6, time_ns: 1e6 }]),
    });
    assert.match(await page.sourceName.innerText(), /run\.json/);
  });
  await page.close();

  const own = {
    name: 'mine',
    machine: 'h100-sxm',
    machines: 1,
    tpot_s: 0.02,
    output_tokens_per_s: 50,
  };
  const elsewhere = await openPage(link({ machines: ['h200-sxm'], runs: [own] }));
  await table(elsewhere).waitFor();
  await check('a run of a machine that is not searched says so', async () => {
    assert.match(
      await elsewhere.text(elsewhere.page.getByRole('list', { name: 'My runs' })),
      /its machine is not searched/,
    );
    const machine = elsewhere.page.getByLabel('Machine of mine', {
      exact: true,
    });
    assert.equal(await machine.locator('option:checked').innerText(), 'NVIDIA H100 SXM');
  });
  await elsewhere.close();
});

test('a phone has the frontier, its limits by key', async () => {
  const page = await openPage(link(three), {
    viewport: { width: 390, height: 844 },
  });
  await table(page).waitFor();
  await check('nothing is wider than the page', async () =>
    assert.ok((await page.page.evaluate(() => document.documentElement.scrollWidth)) <= 390),
  );
  const ttft = handle(page, 'Longest time to first token');
  const limit = async () => Number(await ttft.getAttribute('aria-valuenow'));
  await ttft.press('ArrowDown'); // sets it
  await page.settled();
  const first = await limit();
  assert.ok(first > 0);
  await ttft.press('ArrowDown');
  await page.settled();
  const second = await limit();
  assert.ok(second < first, `${second} is stricter than ${first}`);
  await ttft.press('ArrowDown');
  await page.settled();
  await check('each step is stricter, in the view and in words', async () => {
    const third = await limit();
    assert.ok(third < second, `${third} is stricter than ${second}`);
    assert.match(await ttft.getAttribute('aria-valuetext'), /^[\d.]+ m?s to the first token/);
    assert.ok(stateOf(await page.link()).view.serving.ttftMax < first);
  });
  await page.close();
});

test('the figures that the headline names are in view beside both panels', async () => {
  const page = await openPage(
    encode({
      source: { built: 'model', request },
      settings: { machine: 'h100-sxm' },
      selected: 0,
      view: { tab: 'serving' },
    }),
    {
      viewport: { width: 1440, height: 900 },
    },
  );
  await table(page).waitFor();
  await page.diagnosis.waitFor();
  await page.settled();
  const { x, width } = await table(page).boundingBox();
  for (const name of ['Users', 'Tokens/s per user', 'Tokens/s per machine', 'First token', 'Limited by'])
    await check(name, async () => {
      const head = await table(page).getByRole('columnheader', { name, exact: true }).boundingBox();
      assert.ok(head.x + head.width <= x + width, `${head.x + head.width} of ${x + width}`);
    });
  page.assertQuiet();
  await page.close();
});

test('the chosen deployment stays with its machine', async () => {
  const pick = [1, 0]; // older links have the machine's place
  const page = await openPage(link({ ...three, pick }), {
    viewport: { width: 1440, height: 900 },
  });
  const chosen = async () =>
    (await table(page).locator('[aria-pressed=true]').getAttribute('aria-label')).split(',')[0];
  await check('the second machine of an older link', async () => assert.equal(await chosen(), 'NVIDIA B200 SXM'));
  await table(page)
    .getByRole('button', { name: /^AMD Instinct MI355X/ })
    .first()
    .click();
  await page.settled();
  await page.button('Remove NVIDIA H100 SXM').click();
  await page.settled();
  await check('also when one before it is removed', async () => {
    assert.equal((await page.texts(table(page).locator('tbody button'))).filter(text => /H100/.test(text)).length, 0);
    assert.equal(await chosen(), 'AMD Instinct MI355X');
  });
  page.assertQuiet();
  await page.close();
});

test('a click on a limit sets it', async () => {
  const page = await openPage(link(three), {
    viewport: { width: 1440, height: 900 },
  });
  await table(page).waitFor();
  await handle(page, 'Longest time per token').locator('.grip').click();
  await check('and the headline follows', async () => assert.match(await page.headline(), /^Within the limits, /));
  page.assertQuiet();
  await page.close();
});

test('the labels of the limits do not cover the chart', async () => {
  for (const hasTouch of [false, true]) {
    const page = await openPage(link(three), {
      viewport: { width: 1440, height: 900 },
      hasTouch,
    });
    await table(page).waitFor();
    const [tpot, ttft] = ['Longest time per token', 'Longest time to first token'].map(name => handle(page, name));
    const box = locator => locator.boundingBox();
    await check('that of the time per token is under both', async () => {
      const [name, both, frame] = [
        await box(tpot.locator('.grip')),
        await box(tpot),
        await box(page.page.locator('.frontier-chart')),
      ];
      assert.ok(
        name.y >= both.y + both.height && name.y + name.height <= frame.y + frame.height,
        inspect([name, both, frame]),
      );
    });
    await check('that of the time to first token is above its line', async () => {
      const [name, line] = [await box(ttft.locator('.grip')), await box(ttft)];
      assert.ok(name.y + name.height <= line.y + line.height / 2, inspect([name, line]));
    });
    await page.close();
  }
});
