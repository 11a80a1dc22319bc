// A language model: from a pasted config.json to a changed bound, and everything live and in the link.
import { Page } from './harness.mjs';

// As Hugging Face has it, with keys that do not matter here.
const config = JSON.stringify({
  architectures: ['LlamaForCausalLM'], bos_token_id: 128000, hidden_act: 'silu', hidden_size: 4096, intermediate_size: 14336, model_type: 'llama',
  num_attention_heads: 32, num_hidden_layers: 32, num_key_value_heads: 8, rms_norm_eps: 1e-5, rope_theta: 500000, tie_word_embeddings: false, vocab_size: 128256,
});

export default async function test({ browser, url, checks }) {
  const page = await Page.open(browser, url);
  const { page: p } = page;
  const paste = text => p.evaluate(content => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', content);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, text);
  const shows = (selector, text) => p.locator(selector, { hasText: text }).first().waitFor({ timeout: 15_000 }).then(() => true, () => false);
  const fact = name => p.locator('.two-answers tr', { has: p.locator(`th:text-is("${name}")`) }).locator('td').first().innerText();

  await paste(config);
  checks.that('a pasted config.json is a model, its parameters are echoed', await shows('[data-echo]', '8.03 G parameters'), await page.texts('.left .muted'));
  checks.that('and its cache', (await page.text('[data-echo]')).includes('131 kB per token'), await page.text('[data-echo]'));

  const machine = p.getByRole('combobox', { name: 'Machine', exact: true });
  await machine.click();
  await machine.fill('h100 sxm');
  await p.keyboard.press('Enter');
  await page.settled();
  checks.that('decode is memory-bound', await shows('.headline', 'Decode at batch 8 is memory-bound on HBM'), await page.text('.headline'));
  checks.that('its operators are rows', (await page.texts('tbody tr')).some(row => row.includes('gate_proj')));
  checks.equal('and all bound by the memory', await page.summary('bound by'), 'HBM');

  await p.getByRole('button', { name: 'Prefill', exact: true }).click();
  checks.that('prefill is compute-bound: the bound has changed', await shows('.headline', 'Prefill of 1024 tokens at batch 8 is compute-bound'), await page.text('.headline'));
  await page.settled();
  checks.equal('in the summary too', await page.summary('bound by'), 'compute');

  await p.getByRole('button', { name: 'Decode', exact: true }).click();
  await shows('.headline', 'Decode');
  await p.getByRole('button', { name: 'Inference', exact: true }).click();
  const before = await fact('time per token');
  const field = name => p.locator('.model-source label', { hasText: new RegExp(`^${name}`) }).locator('select');
  await field('Weights').selectOption('int4_g128');
  await p.waitForFunction(was => [...document.querySelectorAll('.two-answers td')].every(cell => cell.textContent !== was), before, { timeout: 15_000 }).catch(() => {});
  const after = await fact('time per token');
  checks.that('INT4 weights shorten the time per token', parseFloat(after) < parseFloat(before) * 0.6, `${before}, ${after}`);
  checks.that('it fits', (await page.text('[data-fits]')).includes('fit in 85'), await page.text('[data-fits]'));

  await p.getByRole('spinbutton', { name: /^Batch/ }).fill('2000');
  checks.that('a large batch does not fit', await shows('[data-fits]', 'do not fit in'), await page.text('[data-fits]'));
  await p.getByRole('spinbutton', { name: /^Batch/ }).fill('8');
  await shows('[data-fits]', 'activations 2');
  await p.locator('.changes button', { hasText: 'FP8 key-value cache' }).click();
  await p.waitForFunction(() => [...document.querySelectorAll('.model-source select')].some(select => select.value === 'fp8_e4m3'), null, { timeout: 15_000 });
  checks.that('a suggested change is applied by a click', (await field('KV cache').inputValue()) === 'fp8_e4m3');

  const explore = async name => {
    await p.locator('.explore button').first().click();
    await p.locator('.menu-panel .item', { hasText: name }).click();
  };
  await explore('Batch and context');
  await p.locator('.heat canvas[data-painted]').waitFor({ timeout: 15_000 });
  await p.locator('.heat canvas').click({ position: { x: 40, y: 200 } });
  checks.that('a click on the map chooses batch and context', await p.waitForFunction(() => !/batch 8 /.test(document.querySelector('.headline').textContent), null, { timeout: 15_000 }).then(() => true, () => false), await page.text('.headline'));
  checks.that('the trade-off has a curve', (await p.locator('.pareto polyline').count()) === 1);
  await explore('Layers');
  checks.that('formulas have the width of the table', await page.page.locator('.layers code').first().evaluate(code => code.clientWidth / code.closest('table').clientWidth) > 0.9);
  checks.that('formulas have the numbers put in', await shows('.layers code', /2 \* T \* H \* Q = 2 \* /));
  await explore('Machines for the model');
  checks.that('every machine is listed', (await p.locator('.model-view tbody tr').count().catch(() => 0)) > 50 || (await shows('.model-view tbody tr', 'H100')));

  await p.getByRole('button', { name: 'Roofline', exact: true }).click();
  await p.waitForTimeout(600);
  const link = p.url();
  const again = await Page.open(browser, link);
  checks.that('the link opens the same model', await again.page.locator('[data-echo]', { hasText: '8.03 G parameters' }).waitFor({ timeout: 15_000 }).then(() => true, () => false));
  checks.equal('with the same finding', await again.text('.headline'), await page.text('.headline'));
  await again.close();

  await paste('{"model_type": "rwkv", "hidden_size": 2048}');
  checks.that('a config that cannot be read says what it lacks', await shows('body', 'num_hidden_layers'), await page.texts('.notices'));
  checks.that('and what was open stays', (await page.texts('tbody tr')).some(row => row.includes('gate_proj')));
  checks.equal('no complaints of the browser', page.complaints, []);
  await page.close();
}
