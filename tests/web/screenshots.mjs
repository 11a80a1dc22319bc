// Pictures of every view, for looking at: node tests/web/screenshots.mjs FOLDER [VIEW|WIDTH|light|dark...]
// Those of the documents, and what a link to the page shows elsewhere: node tests/web/screenshots.mjs docs
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { end, openPage } from './browser.mjs';
import { four, many } from './inputs.mjs';

const [folder, ...wanted] = process.argv.slice(2);
if (!folder) throw new Error('usage: screenshots.mjs FOLDER [VIEW...]');
mkdirSync(folder, { recursive: true });

/** Those that the documents show, of the page as it opens. */
const OF_DOCUMENTS = {
  screenshot: { viewport: { width: 1440, height: 900 } },
  phone: {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
  },
  preview: { viewport: { width: 1200, height: 630 } },
};

if (folder === 'docs') {
  for (const [name, options] of Object.entries(OF_DOCUMENTS)) {
    const page = await openPage('', options);
    await page.page.screenshot({ path: join(folder, `${name}.png`) });
    await page.close();
  }
  await end();
  process.exit();
}

const hash = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
const sample = id => hash({ source: { sample: id } });
const operator = hash({
  source: {
    built: 'operator',
    request: { type: 'gemm', parameters: { m: 1, n: 4096, k: 4096 }, formats: ['fp16', 'int8', 'int4:fp16'] },
  },
  settings: { machine: 'a100-80gb-sxm' },
});
const map = hash({
  source: {
    built: 'operator',
    request: { type: 'gemm', parameters: { m: 1, n: 4096, k: 4096 }, formats: ['fp16', 'int8'] },
  },
  settings: { machine: 'a100-80gb-sxm' },
  view: { sweep: { x: { keys: ['m'], from: 1, to: 4096 }, y: { keys: ['k'], from: 64, to: 16384 } } },
});
const model = hash({
  source: {
    built: 'model',
    request: {
      model: 'llama-3-8b',
      phase: 'decode',
      batch: 8,
      context: 4096,
      measured: [{ name: 'published', oi: 300, tflops: 150 }],
    },
  },
  settings: { machine: 'a100-80gb-sxm' },
});

/** Name of the picture: address, view, and what to drop. */
const PICTURES = {
  page: ['', 'Summary'],
  bars: ['', 'Bars'],
  steps: [sample('training-profile'), 'Timeline: Over time'],
  categories: [sample('training-profile'), 'Timeline: By category'],
  profile: [sample('training-profile'), 'Summary'],
  precision: ['', 'Formats: Accuracy'],
  machines: ['', 'Machines: Speed'],
  'machine-roofs': ['', 'Machines: Roofs'],
  heatmap: ['', 'Heat map'],
  split: ['', 'Small multiples'],
  distribution: ['', 'Distribution'],
  parity: ['', 'Predicted vs measured'],
  density: ['', 'Summary', { 'many.json': JSON.stringify(many(20000)) }],
  formats: [operator, 'Formats: Speed'],
  sweep: [operator, 'Scaling: Sweep'],
  'sweep-map': [map, 'Scaling: Sweep'],
  'model-roofline': [model, 'Summary'],
  inference: [model, 'Summary: Inference'],
  'model-sweep': [model, 'Scaling: Sweep'],
  throughput: [model, 'Scaling: Batch and context'],
  serving: [model, 'Serving'],
  layers: [model, 'Layers'],
  'model-machines': [model, 'Machines: Speed'],
  compare: ['', 'Compare', { 'before.json': four, 'after.json': four.replace('850000', '440000') }],
};

const SIZES = [
  [1440, 900],
  [768, 1024],
  [390, 844],
];

/** Whether one of several was asked for; all are where none was. */
const among = (all, one) => !wanted.some(word => all.includes(word)) || wanted.includes(one);

for (const [width, height] of SIZES) {
  const widths = SIZES.map(([wide]) => String(wide));
  if (!among(widths, String(width))) continue;
  for (const colorScheme of ['light', 'dark']) {
    if (!among(['light', 'dark'], colorScheme)) continue;
    for (const [name, [address, view, files]] of Object.entries(PICTURES)) {
      if (!among(Object.keys(PICTURES), name)) continue;
      const page = await openPage(address, { viewport: { width, height }, colorScheme, hasTouch: width < 1000 });
      if (files) await page.drop(files);
      await page.show(view);
      await page.page.waitForLoadState('networkidle');
      await page.page.waitForTimeout(900); // charts that are fetched
      // Not by `fullPage`, which forgets that fingers are coarse: the page would be shorter than its picture.
      if (width < 768)
        await page.page.setViewportSize({
          width,
          height: await page.page.evaluate(() => document.documentElement.scrollHeight),
        });
      await page.page.waitForTimeout(300);
      await page.page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
      if (page.complaints.length > 0) console.log(name, page.complaints);
      await page.close();
    }
  }
}
await end();
