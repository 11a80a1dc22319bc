// Kernel tables: filters by the input's own columns, the views over them, and two runs compared.
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
  checks.that('a distribution with its median', /median 2\.30/.test(await page.text('.view-controls')), await page.text('.view-controls'));

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
  await page.page.getByRole('button', { name: 'End comparison' }).click();
  await page.settled();
  checks.equal('ended', await page.page.getByRole('button', { name: 'Compare', exact: true }).count(), 0);

  await page.drop({ 'lacks.csv': 'name,avg_ms\na,1\n' });
  checks.that('a table that cannot be placed says what it lacks', /no column gives FLOPs/.test(await page.text('.notice.error')), await page.texts('.notice'));
  checks.equal('and what was open stays', await page.summary('ops'), '3');
  checks.equal('no complaints', page.complaints, []);
  await page.close();
}

async function explore(page, name) {
  await page.page.locator('.explore > button').click();
  await page.page.locator('.explore .item', { hasText: name }).click();
  await page.settled();
}
