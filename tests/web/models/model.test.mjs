// A language model: from a pasted config.json to a changed bound, and everything live and in the link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, openPage } from '../harness.mjs';

// As Hugging Face has it, with keys that do not matter here.
const config = JSON.stringify({
  architectures: ['LlamaForCausalLM'],
  bos_token_id: 128000,
  hidden_act: 'silu',
  hidden_size: 4096,
  intermediate_size: 14336,
  model_type: 'llama',
  num_attention_heads: 32,
  num_hidden_layers: 32,
  num_key_value_heads: 8,
  rms_norm_eps: 1e-5,
  rope_theta: 500000,
  tie_word_embeddings: false,
  vocab_size: 128256,
});

test('model', async () => {
  const page = await openPage();
  const { page: p } = page;
  const paste = text =>
    p.evaluate(content => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', content);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }, text);
  const shows = (of, text) =>
    page
      .located(of)
      .filter({ hasText: text })
      .first()
      .waitFor()
      .then(
        () => true,
        () => false,
      );
  const request = p.getByRole('group', { name: 'Request', exact: true });
  const fact = name =>
    p
      .getByRole('row')
      .filter({ has: p.getByRole('rowheader', { name, exact: true }) })
      .getByRole('cell')
      .first()
      .innerText();

  await paste(config);
  await check('a pasted config.json is a model, its parameters are echoed', async () =>
    assert.ok(await shows('[data-echo]', '8,030,261,248 parameters'), inspect(await page.text(page.inputs))),
  );
  await check('and its cache', async () =>
    assert.ok((await page.text('[data-echo]')).includes('131 kB per token'), inspect(await page.text('[data-echo]'))),
  );

  const assumed = p.getByText('assumed', { exact: true });
  await check('its machine is assumed, after a reload too', async () => assert.equal(await assumed.count(), 1));
  await page.committed();
  await p.reload();
  await page.painted();
  await check('as long as nobody has chosen one', async () => assert.equal(await assumed.count(), 1));
  await check('how fast it runs is among the first figures', async () =>
    assert.ok(Number((await page.summary('Tokens/s')).replaceAll(',', '')) > 10, await page.text(page.totals)),
  );
  const machine = p.getByRole('combobox', { name: 'Machine', exact: true });
  await machine.click();
  await machine.fill('h100 sxm');
  await p.keyboard.press('Enter');
  await page.settled();
  await check('a chosen one is not', async () => assert.equal(await assumed.count(), 0));
  await check('decode is memory-bound', async () =>
    assert.ok(await shows(page.finding, 'Decode at batch 8 is memory-bound on HBM'), inspect(await page.headline())),
  );
  await check('its operators are rows', async () =>
    assert.ok((await page.texts('tbody tr')).some(row => row.includes('gate_proj'))),
  );
  await check('and all bound by the memory', async () => assert.deepEqual(await page.summary('Limited by'), 'HBM'));

  await p.getByRole('button', { name: 'Prefill', exact: true }).click();
  await check('prefill is compute-bound: the bound has changed', async () =>
    assert.ok(
      await shows(page.finding, 'Prefill of 3,840 tokens at batch 8 is compute-bound'),
      inspect(await page.headline()),
    ),
  );
  await page.settled();
  await check('in the summary too', async () => assert.deepEqual(await page.summary('Limited by'), 'compute'));

  await p.getByRole('button', { name: 'Decode', exact: true }).click();
  await shows(page.finding, 'Decode');
  await p.getByRole('button', { name: 'Inference', exact: true }).click();
  // One request, one verdict, in every phase; what is wrong with a field stands under it.
  const verdict = () => page.text('[data-fits]');
  const first = await verdict();
  for (const phase of ['Prefill', 'Generate', 'Decode']) {
    await p.getByRole('button', { name: phase, exact: true }).click();
    await page.settled();
    await check(`the same verdict on memory in ${phase}`, async () => assert.equal(await verdict(), first));
  }
  const parallel = p.getByLabel('Tensor parallel');
  await parallel.selectOption('64');
  await check('an error stands at its field', async () =>
    assert.match(
      await parallel.locator('xpath=ancestor::label/following-sibling::*[1]').innerText(),
      /no more than the model's attention heads/,
    ),
  );
  await parallel.selectOption('1');
  await check('and goes with it', async () => assert.equal(await request.getByRole('alert').count(), 0));

  const before = await fact('time per token');
  const field = name => request.getByRole('combobox', { name, exact: true });
  await field('Weights').selectOption('int4_g128');
  await check('INT4 weights shorten the time per token', async () => {
    const after = await fact('time per token');
    assert.ok(parseFloat(after) < parseFloat(before) * 0.6, inspect(`${before}, ${after}`));
  });
  await check('it fits', async () =>
    assert.ok((await page.text('[data-fits]')).includes('fits in 85'), inspect(await page.text('[data-fits]'))),
  );

  await p.getByRole('spinbutton', { name: /^Batch/ }).fill('2000');
  await check('a large batch does not fit', async () =>
    assert.ok(await shows('[data-fits]', 'does not fit in'), inspect(await page.text('[data-fits]'))),
  );
  await p.getByRole('spinbutton', { name: /^Batch/ }).fill('8');
  await check('a small one does', async () => assert.match(await page.text('[data-fits]'), / fits in /));
  await p.getByRole('button', { name: 'FP8 key-value cache' }).click();
  await check('a suggested change is applied by a click', async () =>
    assert.equal(await field('KV cache').inputValue(), 'fp8_e4m3'),
  );
  await page.show('Scaling: Batch and context');
  await check('the headline says which batch fits, and how fast', async () =>
    assert.match(
      await page.sentence(),
      /^At a context of [\d,]+ tokens, (every batch shown fits|batch [\d,]+ is the largest that fits)\. Batch [\d,]+ reaches at most [\d,]+ tokens\/s, [\d.,]+ per user/,
    ),
  );
  const map = p.getByRole('img', {
    name: /^Tokens per second over batch and context/,
  });
  await check('the map is drawn', async () => assert.ok(Number(await map.getAttribute('data-painted')) > 0));
  await map.click({ position: { x: 100, y: 200 } });
  await check('a click on the map chooses batch and context', async () =>
    assert.doesNotMatch(await page.headline(), /batch 8 /),
  );
  await check('the trade-off has a curve', async () =>
    assert.ok(
      (await p
        .getByRole('img', { name: /^Tokens per second per user/ })
        .locator('.point')
        .count()) > 10,
    ),
  );
  await page.show('Layers');
  await check('formulas have the width of the table', async () =>
    assert.ok(
      (await page.view
        .getByRole('code')
        .first()
        .evaluate(code => code.clientWidth / code.closest('table').clientWidth)) > 0.9,
    ),
  );
  await check('formulas have the numbers put in', async () =>
    assert.ok(await shows(page.view.getByRole('code'), /2 \* T \* H \* Q = 2 \* /)),
  );
  await page.show('Machines: Speed');
  await check('every machine is listed', async () =>
    assert.ok((await page.rows(page.view).count()) > 50 && (await shows(page.rows(page.view), 'H100'))),
  );

  await page.show('Summary');
  const link = await page.link();
  const again = await openPage(link);
  await check('the link opens the same model', async () =>
    assert.ok(
      await again.page
        .locator('[data-echo]', { hasText: '8,030,261,248 parameters' })
        .waitFor()
        .then(
          () => true,
          () => false,
        ),
    ),
  );
  await check('with the same finding', async () => assert.deepEqual(await again.headline(), await page.headline()));
  await again.close();

  await paste('{"model_type": "rwkv", "hidden_size": 2048}');
  await check('a config that cannot be read says what it lacks', async () =>
    assert.ok(await shows('body', 'num_hidden_layers'), inspect(await page.texts(page.notices))),
  );
  await check('and what was open stays', async () =>
    assert.ok((await page.texts('tbody tr')).some(row => row.includes('gate_proj'))),
  );
  page.assertQuiet();
  await page.close();
});

test('the prompt follows the context until it is set', async () => {
  const page = await openPage();
  await page.openFrom('Plan a language model');
  const size = name => page.inputs.getByRole('spinbutton', { name: new RegExp(`^${name}`) });
  const set = async (name, value) => {
    await size(name).fill(String(value));
    await page.settled();
  };
  const prompt = async () => (await size('Prompt').inputValue()).replaceAll(',', '');
  const lengths = async () => {
    const fields = ['Prompt', 'Context', 'Generate'].map(name => size(name).inputValue());
    return (await Promise.all(fields)).map(value => value.replaceAll(',', ''));
  };
  await page.show('Machines: Speed');
  await set('Context', 8192);
  await check('the generated tokens fill the context', async () => assert.equal(await prompt(), String(8192 - 256)));
  await check('and the first token is that of this prompt', async () =>
    assert.match(await page.text(page.view), /A batch of 8 prompts of 7,936 tokens/),
  );
  await page.show('Serving');
  const serving = page.view.getByRole('spinbutton', { name: 'Prompt, tokens' });
  await check('Serving has the same prompt', async () => assert.equal(await serving.inputValue(), '7936'));
  await set('Generate', 1000);
  await check('it follows the length of the answer', async () => assert.equal(await prompt(), String(8192 - 1000)));
  await page.inputs.getByRole('button', { name: 'Prefill', exact: true }).click();
  await page.settled();
  await check('a prefill ends with the prompt', async () =>
    assert.deepEqual([await prompt(), (await size('Context').inputValue()).replaceAll(',', '')], ['7192', '7192']),
  );
  await page.inputs.getByRole('button', { name: 'Decode', exact: true }).click();
  await page.settled();
  await check('and decoding goes on from there', async () =>
    assert.equal((await size('Context').inputValue()).replaceAll(',', ''), '8192'),
  );
  await size('Generate').fill('');
  await size('Generate').pressSequentially('9000');
  await size('Generate').blur();
  await check('a prompt that fills the context keeps both: a longer answer is refused', async () => {
    assert.match(
      await page.inputs.getByRole('alert').innerText(),
      /^Restored 1,000\. Enter a whole number from 1 to 8,191: the context is 8,192 tokens/,
    );
    assert.deepEqual(await lengths(), ['7192', '8192', '1000']);
  });
  await set('Context', 100);
  await size('Context').blur();
  await check('so is a context without room for the answer', async () => {
    assert.match(
      await page.inputs.getByRole('alert').innerText(),
      /^Restored 8,192\. Enter a whole number from 1,001 to 1,000,000,000: the context holds the prompt and 1,000 generated tokens/,
    );
    assert.deepEqual(await lengths(), ['7192', '8192', '1000']);
  });
  await page.inputs.getByRole('button', { name: 'Generate', exact: true }).click();
  await set('Generate', 9000);
  await check('a whole generation keeps its prompt', async () => assert.equal(await prompt(), '7192'));
  await page.inputs.getByRole('button', { name: 'Decode', exact: true }).click();
  await page.settled();
  await check('and the context is as long as both', async () =>
    assert.deepEqual(await lengths(), ['7192', '16192', '9000']),
  );
  await set('Generate', 1000);
  await set('Prompt', 2000);
  await set('Context', 4096);
  await check('a prompt that was set stays', async () => assert.equal(await prompt(), '2000'));
  await set('Generate', 9000);
  await check('a longer answer lengthens the context', async () =>
    assert.deepEqual(await lengths(), ['2000', '11000', '9000']),
  );
  await set('Generate', 1000);
  await set('Context', 4096);
  await size('Context').fill('100');
  await check('a context that is shorter is refused', async () => {
    assert.equal(await size('Context').getAttribute('aria-invalid'), 'true');
    await size('Context').blur();
    assert.match(await page.inputs.getByRole('alert').innerText(), /from 2,000 /);
  });
  await set('Context', 4096);
  await set('Prompt', 9000);
  await check('a longer one takes the context and the answer with it', async () =>
    assert.equal((await size('Context').inputValue()).replaceAll(',', ''), String(9000 + 1000)),
  );
  const old = {
    model: 'llama-3-8b',
    phase: 'decode',
    batch: 8,
    prompt: 1024,
    context: 4096,
    generate: 256,
  };
  const source = { built: 'model', request: old };
  const link = await openPage(`#${Buffer.from(JSON.stringify({ source })).toString('base64url')}`);
  await link.show('Machines: Speed');
  await check('so does that of a link', async () =>
    assert.match(await link.text(link.view), /A batch of 8 prompts of 1,024 tokens/),
  );
  await link.close();
  page.assertQuiet();
  await page.close();
});

test('a prefill taken from the map or from a curve has no tokens cached before it', async () => {
  const request = {
    model: 'llama-3-8b',
    phase: 'prefill',
    prompt: 3840,
    context: 3840,
    batch: 8,
  }; // as after a decode
  for (const [tab, plot] of [
    ['throughput', /^Tokens per second over batch and prompt/],
    ['model-sweep', /along prompt$/],
  ]) {
    const view = { tab, modelSweep: { key: 'prompt', from: 16, to: 32768 } };
    const page = await openPage(
      `#${Buffer.from(JSON.stringify({ source: { built: 'model', request }, view })).toString('base64url')}`,
    );
    const box = await page.page.getByLabel(plot).boundingBox();
    await page.page.mouse.click(box.x + box.width / 3, box.y + box.height / 2);
    await page.settled();
    const { source } = JSON.parse(Buffer.from((await page.link()).split('#')[1], 'base64url'));
    await check(`${tab}: a shorter prompt`, async () =>
      assert.ok(source.request.prompt < 3840, inspect(source.request)),
    );
    await page.show('Summary: Inference');
    await check(`${tab}: nothing cached`, async () => assert.doesNotMatch(await page.headline(), /cached/));
    page.assertQuiet();
    await page.close();
  }
});

test('every view has the context of the panel', async () => {
  const link = (request, tab) =>
    `#${Buffer.from(JSON.stringify({ source: { built: 'model', request: { model: 'llama-3-8b', ...request } }, view: { tab } })).toString('base64url')}`;
  const size = (page, name) => page.inputs.getByRole('spinbutton', { name: new RegExp(`^${name}`) }).inputValue();
  const map = await openPage(link({ phase: 'decode', prompt: 8192 }, 'throughput'));
  assert.equal(await size(map, 'Context'), '8192');
  await check('the map of batch and context', async () =>
    assert.match(await map.view.getByRole('figure').first().innerText(), /context 8,\d{3}:/),
  );
  await map.close();
  const serving = await openPage(link({ phase: 'prefill', context: 8192 }, 'serving'));
  assert.equal(await size(serving, 'Prompt'), '8192');
  await check('Serving', async () => assert.match(await serving.text(serving.view), /no cached prefix/));
  await serving.close();
});
