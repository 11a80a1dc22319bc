// Kernel tables: filters by the input's own columns, the views over them, and two runs compared.
import { readFileSync } from 'node:fs';
import { Page } from './harness.mjs';

const kernels = `name,arithmeticIntensity,tflops,batch,dtype,model
A,2.5,100,32,f32,modelX
B,1.8,80,64,f16,modelY
C,3.2,120,32,f32,modelX
D,2.1,90,64,f16,modelY
E,2.8,110,32,f32,modelZ
F,1.5,70,64,f16,modelX
G,3.5,130,32,f32,modelY
H,2.3,95,64,f16,modelZ
`;

const table = (rows, times) => `name,M,N,K,dtype,time_us\n${rows.map((name, i) => `${name},512,512,512,f16,${times[i]}`).join('\n')}\n`;

export default async function test({ browser, url, checks }) {
  const page = await Page.open(browser, url);
  await page.drop({ 'kernels.csv': kernels });
  const names = async () => (await page.texts('tbody tr[data-op] td:first-child')).map(name => name.trim()).sort().join('');
  const only = async (column, word) => {
    await page.page.getByRole('list', { name: column }).getByRole('button', { name: new RegExp(`^${word}`) }).click({ modifiers: ['Shift'] });
    await page.settled();
  };
  checks.equal('a CSV opens', await names(), 'ABCDEFGH');
  checks.that('rows above their roof are told', /above the roof/.test(await page.text('.headline')), await page.text('.headline'));
  await only('batch', '32');
  checks.equal('batch 32', await names(), 'ACEG');
  await only('model', 'modelX');
  checks.equal('batch 32 and model X', await names(), 'AC');
  await page.page.getByRole('button', { name: 'Show all' }).click();
  await only('batch', '32');
  await only('dtype', 'f16');
  checks.equal('nothing left', await names(), '');
  checks.that('and that is said', /No operation matches/.test(await page.text('.table-frame')));
  await explore(page, 'Heat map');
  checks.that('the heat map says so too', /No operation matches/.test(await page.text('.explore-view')), await page.text('.explore-view'));
  await explore(page, 'Distribution');
  await page.page.locator('.explore-view .hint').waitFor({ timeout: 5000 }).catch(() => {});
  checks.that('and the distribution', /No operation matches/.test(await page.text('.explore-view')), await page.text('.explore-view'));
  await explore(page, 'Heat map');
  const hash = await page.page.evaluate(async () => (await new Promise(done => setTimeout(done, 500)), location.hash));
  const again = await Page.open(browser, url + hash, { wait: false });
  await again.page.waitForTimeout(300);
  await again.close();
  await page.page.getByRole('button', { name: 'Show all' }).click();
  await page.settled();

  const canvas = page.page.locator('.rows-scroll canvas');
  await canvas.waitFor();
  await page.page.waitForTimeout(300);
  checks.equal('a row per kernel', await canvas.getAttribute('data-rows'), '8');
  const box = await canvas.boundingBox();
  await page.page.mouse.move(box.x + box.width - 260, box.y + 24 + 30);
  checks.that('exact values on hover', /FLOP|%/.test(await page.text('.rows-canvas .tooltip')), await page.text('.rows-canvas .tooltip'));
  await page.page.mouse.move(box.x + 250, box.y + 24 + 30);
  checks.that('every digit of them', /Intensity: \d\.\d FLOP\/B/.test(await page.text('.rows-canvas .tooltip')), await page.text('.rows-canvas .tooltip'));
  await page.page.mouse.click(box.x + 100, box.y + 24 + 50);
  await page.settled();
  checks.that('a click selects the kernel everywhere', (await page.page.locator('tbody tr[aria-selected="true"]').count()) === 1);
  await page.page.locator('.view-controls select').nth(0).selectOption('dtype');
  await page.page.locator('.view-controls select').nth(1).selectOption('model');
  await page.page.waitForTimeout(400);
  checks.equal('two columns against each other', await canvas.getAttribute('data-rows'), '2');
  const grid = await canvas.boundingBox();
  await page.page.mouse.move(grid.x + 260, grid.y + 24 + 10);
  checks.that('a cell is the mean rate of its kernels', /110 TFLOP\/s/.test(await page.text('.rows-canvas .tooltip')), await page.text('.rows-canvas .tooltip'));

  await explore(page, 'Split charts');
  await page.page.waitForTimeout(400);
  checks.equal('bars per kernel', await canvas.getAttribute('data-rows'), '8');
  await explore(page, 'Distribution');
  await page.page.getByRole('group', { name: 'Metric' }).getByRole('button', { name: 'Intensity' }).click();
  await page.page.waitForTimeout(400);
  checks.that('a distribution with its median', /median 2\.30.*Logarithmic scale; the tallest bar: \d operations?\./.test(await page.text('.view-controls')), await page.text('.view-controls'));

  const many = `name,M,N,K,dtype,time_us\n${Array.from({ length: 10_000 }, (_, i) => `a_kernel_with_a_long_name_that_differs_at_its_end_${i},512,512,${64 + (i % 97)},f16,${10 + (i % 31)}`).join('\n')}\n`;
  await page.drop({ 'many.csv': many });
  await explore(page, 'Heat map');
  await page.page.waitForTimeout(600);
  checks.equal('10,000 kernels in the heat map', await canvas.getAttribute('data-rows'), '10000');
  await page.page.locator('.rows-scroll').evaluate(element => (element.scrollTop = element.scrollHeight));
  await page.page.waitForTimeout(200);
  checks.that('only what is visible is drawn', (await canvas.evaluate(element => element.height)) < 2000);

  await page.drop({ 'before.csv': table(['one', 'two', 'gone'], [20, 60, 4]) });
  await page.page.getByRole('button', { name: 'Roofline', exact: true }).click();
  await page.settled();
  checks.equal('no comparison yet', await page.page.getByRole('button', { name: 'Compare', exact: true }).count(), 0);
  await page.page.locator('#compare-input').setInputFiles({ name: 'after.csv', mimeType: 'text/csv', buffer: Buffer.from(table(['two', 'one', 'new'], [20, 24, 2])) });
  await page.settled();
  await page.page.waitForTimeout(400);
  checks.equal('an arrow per operation in both runs', await page.page.locator('.chart canvas').getAttribute('data-arrows'), '2');
  await page.page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.page.locator('.compare tbody tr').first().waitFor();
  checks.equal('sorted by time saved', (await page.texts('.compare tbody td:first-child')).map(name => name.trim()), ['two', 'gone', 'new', 'one']);
  checks.that('the total is said', /1\.83 times as fast/.test(await page.text('.compare .view-controls')), await page.text('.compare .view-controls'));
  await page.page.locator('.compare tbody tr').first().click();
  await page.settled();
  checks.equal('a row selects', await page.selectedName(), 'two');
  await filteredComparison(page, checks);
  await page.page.getByRole('button', { name: 'End comparison' }).click();
  await page.settled();
  checks.equal('ended', await page.page.getByRole('button', { name: 'Compare', exact: true }).count(), 0);

  await page.drop({ 'lacks.csv': 'name,avg_ms\na,1\n' });
  checks.that('a table that cannot be placed says what it lacks', /no column gives FLOPs/.test(await page.text('.notice.error')), await page.texts('.notice'));
  checks.equal('and what was open stays', await page.summary('ops'), '2');
  checks.equal('no complaints', page.complaints, []);
  await page.close();
}

/// Filters apply to both runs; what vanished is listed, totals are given of what matches and of all, and the file has what the table has.
async function filteredComparison(page, checks) {
  const typed = rows => `name,type,M,N,K,dtype,time_us\n${rows.map(([name, type, time]) => `${name},${type},512,512,512,f16,${time}`).join('\n')}\n`;
  const after = text => page.page.locator('#compare-input').setInputFiles({ name: 'later.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.page.getByRole('button', { name: 'End comparison' }).click();
  await page.drop({ 'earlier.csv': typed([['both', 'gemm', 10], ['old', 'batch_matmul', 5], ['gone', 'gemm', 3]]) });
  await page.settled();
  const type = page.page.locator('.table-scroll td', { hasText: 'batch_matmul' });
  const viewport = page.page.viewportSize();
  await page.page.setViewportSize({ ...viewport, width: 1440 });
  checks.that('a long type is whole where there is room', await page.page.waitForFunction(cell => cell.scrollWidth <= cell.clientWidth, await type.elementHandle(), { timeout: 4000 }).then(() => true, () => false), await type.evaluate(cell => [cell.scrollWidth, cell.clientWidth]));
  await page.page.setViewportSize(viewport);
  await after(typed([['both', 'gemm', 6], ['new', 'gemm', 1]]));
  await page.page.locator('.source-name', { hasText: 'later.csv' }).waitFor();
  await page.settled();
  await page.page.getByRole('button', { name: 'Compare', exact: true }).click();
  const names = async () => (await page.texts('.compare tbody td:first-child')).map(name => name.trim());
  const until = wanted => page.page.waitForFunction(list => [...document.querySelectorAll('.compare tbody td:first-child')].map(cell => cell.innerText.trim()).join() === list, wanted.join(), { timeout: 8000 }).catch(() => {});
  const foot = async () => (await page.texts('.compare tfoot tr')).map(text => text.split(/\s*\t\s*/));
  await until(['old', 'both', 'gone', 'new']);
  checks.equal('types are whole', await page.page.locator('.compare tbody td:nth-child(2)').evaluateAll(cells => cells.map(cell => [cell.innerText, cell.scrollWidth <= cell.clientWidth])), ['batch_matmul', 'gemm', 'gemm', 'gemm'].map(type => [type, true]));
  checks.equal('without filters: one line of totals', (await foot()).map(([name]) => name), ['All operations +1 −2']);
  const types = page.page.getByRole('list', { name: 'Types' });
  checks.equal('the types of both runs can be chosen', (await types.getByRole('button').allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim()), ['gemm 2', 'batch_matmul 0']);
  await types.getByRole('button', { name: /^gemm/ }).click({ modifiers: ['Shift'] });
  await until(['both', 'gone', 'new']);
  checks.equal('what vanished matches by its own type', await names(), ['both', 'gone', 'new']);
  const header = await page.text('.compare');
  checks.that('the finding is of what matches', /1\.86 times as fast: 7 µs instead of 13 µs/.test(header), header.slice(0, 400));
  checks.that('and of all beside it', /matches the filters in either run, 3 of 4\. All operations: 2\.57 times as fast/.test(header), header.slice(0, 400));
  checks.equal('totals of both', (await foot()).map(([name]) => name), ['Matching the filters +1 −1', 'All operations +1 −2']);
  await page.page.locator('.compare thead button', { hasText: 'Operation' }).click();
  await until(['both', 'gone', 'new']);
  await page.page.locator('.compare thead button', { hasText: 'Operation' }).click();
  await until(['new', 'gone', 'both']);
  checks.equal('sorted the other way', await names(), ['new', 'gone', 'both']);
  const [download] = await Promise.all([page.page.waitForEvent('download'), page.page.locator('.compare').getByRole('button', { name: 'CSV' }).click()]);
  const lines = readFileSync(await download.path(), 'utf8').trim().split('\r\n').map(line => line.split(','));
  checks.equal('the file has what is listed, in that order', lines.map(([name, , change]) => `${name} ${change}`), ['name change', 'new appeared', 'gone vanished', 'both matched']);
  await types.getByRole('button', { name: /^batch_matmul/ }).click({ modifiers: ['Shift'] });
  await until(['old']);
  checks.equal('a type that only the earlier run has', await names(), ['old']);
  await page.page.locator('#search').fill('nothing has this');
  await page.page.locator('.compare strong', { hasText: 'No operation' }).waitFor({ timeout: 5000 }).catch(() => {});
  checks.that('nothing left is said', /No operation of either run matches/.test(await page.text('.compare')), await page.text('.compare'));
  const [all, matching] = await page.page.locator('.compare tfoot tr').evaluateAll(rows => rows.map(row => row.getBoundingClientRect().top).reverse());
  checks.that('the two lines of totals do not cover each other', all - matching > 10, [matching, all]);
  await page.page.getByRole('button', { name: 'Show all' }).click();
  await page.settled();
}

async function explore(page, name) {
  await page.page.locator('.explore > button').click();
  await page.page.locator('.explore .item', { hasText: name }).click();
  await page.settled();
}
