// Which machine ran this? Tables of other tools that do not say are dropped, the question is seen and answered, the finding read.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, openPage, Page, url } from '../harness.mjs';
import { four } from '../inputs.mjs';
import { samples, skip } from '../../samples.mjs';

// 8,192 cubed in 1.5 ms is 733 TFLOP/s; the second reads 3 TB/s.
const table = 'name,M,N,K,dtype,time_us\nsm90_xmma_gemm,8192,8192,8192,fp16,1500\nsm90_gemv,1,8192,8192,fp16,45\n';
const plain = table.replaceAll(/sm90_(xmma_)?/g, '');

test('which machine', async () => {
  const page = await openPage();
  const question = page.page.getByRole('group', { name: 'Which machine' });
  const machine = page.page.getByRole('combobox', { name: 'Machine', exact: true });
  const offered = async () => (await question.getByRole('button').allInnerTexts()).map(text => text.trim());
  const assumed = page.page.getByText('assumed', { exact: true });
  await check('the first sample states its machine', async () =>
    assert.deepEqual([await question.count(), await assumed.count()], [0, 0]),
  );

  const choose = async name => {
    await machine.click();
    await machine.fill(name);
    await machine.press('Enter');
    await page.settled();
  };
  await choose('h100 sxm');
  await check('the page says that another machine than the stated one is chosen', async () =>
    assert.match(
      await question.innerText(),
      /^The file says NPU, 32 TOPS, 50 GB\/s, but its times are compared with NVIDIA H100 SXM\./,
    ),
  );
  await question.getByRole('button', { name: 'What if on NVIDIA H100 SXM' }).click();
  await page.settled();
  await check('and can be a what-if instead', async () => {
    assert.deepEqual([await question.count(), await machine.inputValue()], [0, 'NPU, 32 TOPS, 50 GB/s']);
    assert.match(await page.headline(), /On NVIDIA H100 SXM: /);
  });
  await choose('h100 sxm');
  await question.getByRole('button', { name: /^Back to NPU/ }).click();
  await page.settled();
  await check('or taken back', async () => assert.equal(await machine.inputValue(), 'NPU, 32 TOPS, 50 GB/s'));

  await page.drop({ 'kernels.csv': table });
  await check('a table that does not say is asked about', async () =>
    assert.match(
      await question.innerText(),
      /^Which machine ran this\? The fastest rows reach 733 TFLOP\/s and 2\.9\d TB\/s/,
    ),
  );
  await check('its kernels tell the architecture', async () => assert.match((await offered())[0], /^H100 SXM$/));
  const guessed = page.page.getByText('guessed', { exact: true });
  await check('until answered it is guessed by that word', async () => {
    assert.match(await question.innerText(), /Guessed from kernels for sm_90:/);
    assert.deepEqual(
      [await guessed.count(), await assumed.count(), await machine.inputValue()],
      [1, 0, 'NVIDIA H100 SXM'],
    );
  });
  await check('a click on that word opens the list of machines', async () => {
    await guessed.click();
    assert.equal(await machine.getAttribute('aria-expanded'), 'true');
    await page.page.keyboard.press('Escape');
  });
  await check('the finding is of that machine', async () =>
    assert.match(
      await page.headline(),
      /^Compute limits 97% of the 1\.55 ms\. The ops with the most time above the bound are already near the roof/,
    ),
  );
  await page.committed();
  await page.page.reload();
  await page.painted();
  await check('reloaded it still is', async () =>
    assert.deepEqual([await guessed.count(), await machine.inputValue()], [1, 'NVIDIA H100 SXM']),
  );
  await question.getByRole('button', { name: /^H100 SXM/ }).click();
  await page.settled();
  await check('answered, it is gone', async () =>
    assert.deepEqual(
      [await question.count(), await guessed.count(), await machine.inputValue()],
      [0, 0, 'NVIDIA H100 SXM'],
    ),
  );

  await machine.click();
  await check('the list of machines still begins with the likely ones', async () => {
    const list = page.page.getByRole('listbox', { name: 'Machine', exact: true });
    assert.match((await list.locator('li.group').allInnerTexts())[0], /^Likely for this file$/i);
    assert.match((await list.getByRole('option').allInnerTexts()).slice(0, 3).join(), /H100 NVL/);
  });
  await page.page.keyboard.press('Escape');

  await page.drop({ 'other.csv': plain });
  await check('what was chosen for one file is offered for the next', async () =>
    assert.ok((await offered()).includes('NVIDIA H100 SXM (your last choice)')),
  );
  await check('and not imposed', async () => assert.equal(await assumed.count(), 1));
  await check('the times contradict the machine that is assumed', async () =>
    assert.match(await page.headline(), /^This did not run on the assumed .*: both ops exceed its roof by over 25%\./),
  );
  const header = async () => (await page.texts('[role="grid"] th')).map(text => text.replace(/[▾▴]/g, '').trim());
  await check('no efficiency or lost time is shown or sorted by', async () => {
    const titles = await header();
    assert.ok(!titles.includes('Above bound') && !titles.includes('Efficiency'), inspect(titles));
    assert.match(await page.page.locator('[role="grid"] th[aria-sort="descending"]').innerText(), /^Time\s+▾$/);
    assert.equal(await page.totals.getByText(/^(Above bound|Efficiency)/).count(), 0);
    assert.ok(!/Efficiency|Above bound/.test(await page.text(page.figures)), await page.text(page.figures));
  });

  await check('no name tells: it says so', async () =>
    assert.match(await question.innerText(), /The file names no machine/),
  );
  const stranger = 'name,M,N,K,dtype,time_us\nproduct,8192,8192,8192,fp16,1500\n';
  await page.drop({ 'stranger.csv': stranger });
  await question.getByRole('button', { name: /^NVIDIA H100 SXM/ }).click();
  await page.settled();
  await check('chosen, efficiency and lost time are shown again', async () =>
    assert.ok((await header()).includes('Above bound'), inspect(await header())),
  );
  await page.drop({ 'other.csv': plain });
  const all = question.getByRole('combobox', { name: 'Choose a machine', exact: true });
  await all.click();
  await check('and opens the list of all', async () => assert.equal(await all.getAttribute('aria-expanded'), 'true'));
  await check('under its own field, within the window', async () => {
    const field = await all.boundingBox();
    const list = await question.getByRole('listbox').boundingBox();
    assert.ok(Math.abs(list.x - field.x) < 2 && list.y >= field.y + field.height - 1, inspect([field, list]));
    assert.ok(list.x + list.width <= 1280 && list.y + list.height <= 720 && list.height > 270, inspect(list));
  });
  await check('machines that allow the rates come first, with their share of the roof', async () => {
    assert.match((await page.texts('.combobox li.group'))[0], /^Fast enough for the rates of the file$/i);
    assert.match(await question.getByRole('option').first().innerText(), /\d+% of its .*(bandwidth|peak)/);
    const unlikely = question.getByRole('option').filter({ hasText: 'of the time exceeds its roof' });
    assert.ok(
      (await unlikely.allInnerTexts()).some(text => /^NPU/.test(text)),
      'the assumed NPU is listed as unlikely',
    );
  });
  await page.page.keyboard.press('Escape');

  await page.drop({ 'commands.json': JSON.stringify({ machine: 'a30', ops: JSON.parse(four) }) });
  await check("a file's own machine wins", async () =>
    assert.deepEqual([await machine.inputValue(), await assumed.count(), await question.count()], ['NVIDIA A30', 0, 0]),
  );
  await machine.click();
  await machine.fill('l40s');
  await page.page.keyboard.press('Enter');
  await page.settled();
  await page.drop({ 'again.json': JSON.stringify({ machine: 'a30', ops: JSON.parse(four) }) });
  await check('over one chosen before, too', async () => assert.equal(await machine.inputValue(), 'NVIDIA A30'));

  await machine.click();
  await machine.fill('');
  const groups = await page.texts('.combobox li.group');
  await check('the list is grouped by vendor, those that cannot have run it last', async () =>
    assert.deepEqual(
      groups.slice(-2),
      ['Others', 'Unlikely: the file exceeds their roof, or they lack its formats'],
      inspect(groups),
    ),
  );
  await check('every vendor once', async () =>
    assert.ok(groups.includes('NVIDIA') && new Set(groups).size === groups.length),
  );
  await machine.fill('h200 sxm');
  await check('with peak, bandwidth and capacity', async () =>
    assert.match((await page.texts(page.page.getByRole('option')))[0], /H200[^]*FLOP\/s · 4\.8 TB\/s · \d+ GB/),
  );
  await page.page.keyboard.press('Escape');

  const bare = await page.context.newPage();
  await bare.goto(url);
  const next = new Page(bare, page.context);
  await next.painted();
  await check('the bare address opens defaults', async () =>
    assert.match(await bare.getByRole('combobox', { name: 'Machine', exact: true }).inputValue(), /NPU/),
  );
  page.assertQuiet();
  await page.close();
});

test('machines whose roof the file exceeds are not offered', async () => {
  const page = await openPage();
  const question = page.page.getByRole('group', { name: 'Which machine' });
  const machine = page.page.getByRole('combobox', { name: 'Machine', exact: true });
  await machine.click();
  await machine.fill('h100 nvl');
  await machine.press('Enter');
  await page.settled();
  const reads = tera => `name,flops,bytes,time_us,dtype\nadd,1e6,${tera}e9,1000,fp16\n`;
  await page.drop({ 'slow.csv': reads(3.5) });
  const last = question.getByRole('button', { name: 'NVIDIA H100 NVL (your last choice)' });
  await check('the last choice is offered if it can have run it', async () => assert.equal(await last.count(), 1));
  await last.click();
  await page.settled();
  await page.drop({ 'other.csv': reads(0.5) });
  await machine.click();
  await machine.fill('l40s');
  await machine.press('Enter');
  await page.settled();
  await page.drop({ 'slow.csv': reads(3.5) });
  const before = question.getByRole('button', { name: 'NVIDIA H100 NVL (your choice for this file)' });
  await check('a file opened again offers the machine that was chosen for it', async () =>
    assert.deepEqual([await before.count(), await last.count()], [1, 0]),
  );
  await page.drop({ 'fast.csv': reads(4.28) });
  await check('and not where the file exceeds its 3.94 TB/s', async () => {
    assert.match(await question.innerText(), /The fastest rows reach .*4\.28 TB\/s/);
    assert.equal(await question.getByText('H100 NVL').count(), 0);
  });
  await question.getByRole('combobox').click();
  const option = name => page.page.getByRole('option').filter({ hasText: name });
  const options = question.getByRole('listbox').getByRole('option');
  await check('machines that could have run it come first, and Enter takes the first', async () => {
    const muted = await options.evaluateAll(all => all.map(option => option.classList.contains('muted')));
    assert.ok(muted.includes(true));
    assert.equal(muted.indexOf(true), muted.lastIndexOf(false) + 1);
    assert.equal(await options.first().getAttribute('aria-selected'), 'true');
  });
  await check('the list ends with a whole row', async () => {
    const cut = await options.evaluateAll(all => {
      const { bottom } = all[0].parentElement.getBoundingClientRect();
      return all.filter(option => {
        const box = option.getBoundingClientRect();
        return box.top < bottom - 2 && box.bottom > bottom;
      }).length;
    });
    assert.equal(cut, 0);
  });
  await check('the list says why a machine cannot have run it', async () => {
    assert.match(await option('NVIDIA L40S').innerText(), /100% of the time exceeds its roof/);
    assert.match(await option('NVIDIA L40S').getAttribute('class'), /muted/);
    assert.doesNotMatch(await option('NVIDIA H200 SXM').innerText(), /exceed/);
  });
  await question.getByRole('combobox').fill('910B');
  await option('+ my machine').click();
  const dialog = page.page.getByRole('dialog', { name: 'My machine' });
  await check('a machine that is not listed can be entered', async () =>
    assert.equal(await dialog.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), '910B'),
  );
  await dialog.getByRole('button', { name: 'Use without saving', exact: true }).click();
  await page.settled();
  await check('and used', async () => assert.equal(await machine.inputValue(), '910B'));
  page.assertQuiet();
  await page.close();
});

test('an assumed machine and made-up times are named beside every headline', async () => {
  const page = await openPage();
  await check('the sample says that its times are made up', async () =>
    assert.match(await page.totals.innerText(), /Time\s+13\.3 ms\s+synthetic/),
  );
  await page.openFrom('Size an operator');
  const assumption = page.page.getByRole('group', { name: 'Assumed machine' });
  for (const tab of ['Machines', 'Scaling', 'Summary']) {
    await page.show(tab);
    await check(`${tab} names the machine that is assumed`, async () =>
      assert.match(`${await page.headline()} ${await assumption.innerText()}`, /assume[^]*NPU(, | \()32 TOPS/),
    );
  }
  await page.show('Machines');
  await check('on Machines, only the totals and the speed-ups assume it', async () =>
    assert.match(await assumption.innerText(), /^The totals and the speed-ups assume NPU, 32 TOPS/),
  );
  await assumption.getByRole('combobox').click();
  await page.page.keyboard.type('a100 80gb sxm');
  await page.page.keyboard.press('Enter');
  await page.settled();
  await check('one is chosen from there', async () => assert.equal(await assumption.count(), 0));
  page.assertQuiet();
  await page.close();
});

test('which machine: tables of other tools', { skip }, async () => {
  const page = await openPage();
  const question = page.page.getByRole('group', { name: 'Which machine' });
  for (const [file, answer, name] of [
    ['tracelens_perf_report/h100_GEMM.csv', /H100 SXM/, 'NVIDIA H100 SXM'],
    ['tracelens_perf_report/sglang_decode_GEMM.csv', /MI300X/, 'AMD Instinct MI300X'],
    ['kernel_tables/b200_gemms_40_rows.csv', /B200/, 'NVIDIA B200 SXM'],
    ['tracelens_perf_report/sglang_decode_unified_perf_summary.csv', /MI300X/, 'AMD Instinct MI300X'],
    ['tracelens_perf_report/vit_h100_unified_perf_summary.csv', /H100 SXM/, 'NVIDIA H100 SXM'],
    ['kernel_tables/hipblaslt_gemm_40_rows.csv', /MI300X/, 'AMD Instinct MI300X'],
    ['tracelens_perf_report/vit_h100_ops_unique_args.csv', /H100 SXM/, 'NVIDIA H100 SXM'],
  ]) {
    await page.drop({ [file.split('/')[1]]: readFileSync(join(samples, file)) });
    await check(`${file}: it is asked`, async () =>
      assert.match(
        await question.innerText(),
        /^All figures assume .*\. Which machine ran this\?|^Which machine ran this\?/,
      ),
    );
    await question.getByRole('button', { name: answer }).first().click();
    await page.settled();
    await check(`${file}: answered`, async () =>
      assert.ok(
        (await page.page.getByRole('combobox', { name: 'Machine', exact: true }).inputValue()).includes(
          name.split(' ').at(-1),
        ),
        name,
      ),
    );
    await check(`${file}: the finding is not of an assumed machine`, async () =>
      assert.ok(!/assumed/.test(await page.headline()), inspect(await page.headline())),
    );
  }
  const alone = 'tracelens_perf_report/vit_h100_kernel_summary.csv';
  await page.drop({ 'kernels.csv': readFileSync(join(samples, alone)) });
  await check('times alone: nothing depends on the answer, and nothing is asked', async () => {
    assert.match(await page.headline(), /^Times only/);
    assert.equal(await page.page.locator('.machine-question').count(), 0);
  });
  page.assertQuiet();
  await page.close();
});
