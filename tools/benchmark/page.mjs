// What a person waits for, in headless Chromium: the page, opening a file against JSON.parse alone, and dragging a slider. Prints one JSON object.
//   node tools/benchmark/page.mjs FILE_100K FILE_1K FILE_1M TRACE
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLAMA_70B, llamaGguf, writeGguf } from '../../tests/gguf.mjs';
import { end, fromWeb, openPage, root, serve } from '../../tests/web/browser.mjs';

const [hundredThousand, thousand, million, trace] = process.argv.slice(2);
const { build } = fromWeb('esbuild');

/** A bare page with the core, which its `startCore()` starts, `feed()`, which reads bytes into a session, and an input to fetch; close() ends it. */
async function barePage(browser, input) {
  const files = {
    '/': Buffer.from('<!doctype html>'),
    '/glue.js': readFileSync(join(root, 'build/wasm/roofline.js')),
    '/roofline.wasm': readFileSync(join(root, 'build/wasm/roofline.wasm')),
    '/input': input,
  };
  const server = createServer((request, response) =>
    response
      .writeHead(files[request.url] ? 200 : 404, {
        'content-type':
          request.url === '/'
            ? 'text/html'
            : request.url.endsWith('js')
              ? 'text/javascript'
              : 'application/octet-stream',
      })
      .end(files[request.url]),
  );
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.addScriptTag({ url: '/glue.js' });
  await page.evaluate(() => {
    globalThis.startCore = async () =>
      createRoofline({ wasmBinary: await (await fetch('/roofline.wasm')).arrayBuffer(), locateFile: file => file });
    globalThis.feed = (core, session, name, bytes) => {
      session.start(name, bytes.length);
      for (let from = 0; from < bytes.length; from += 1 << 22) {
        const piece = bytes.subarray(from, from + (1 << 22));
        const at = session.begin(piece.length, '');
        core.HEAPU8.set(piece, at);
        session.feed();
      }
      session.finish();
    };
  });
  return {
    page,
    close: async () => {
      await page.close();
      server.close();
    },
  };
}

/** Bytes in memory to the first Frame, and JSON.parse of the same text, in turn in one page. */
async function opening(browser) {
  const { page, close } = await barePage(browser, readFileSync(hundredThousand));
  const result = await page.evaluate(async () => {
    const bytes = new Uint8Array(await (await fetch('/input')).arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const core = await startCore();
    const ours = [],
      parse = [];
    let ops = 0;
    for (let run = 0; run < 8; ++run) {
      const session = new core.Session();
      let start = performance.now();
      feed(core, session, 'input.json', bytes);
      const frame = session.frame();
      ours.push(performance.now() - start);
      ops = JSON.parse(frame.json).all.ops;
      session.delete();
      start = performance.now();
      const parsed = JSON.parse(text);
      parse.push(performance.now() - start);
      if (parsed.length !== ops) throw new Error('the two disagree');
    }
    const median = times => times.slice(1).sort((a, b) => a - b)[3]; // the first run warms both up
    return { open_100k_ms: median(ours), json_parse_100k_ms: median(parse), wasm_memory_mb: core.HEAPU8.length / 1e6 };
  });
  await close();
  return result;
}

/** A trace's bytes in memory to the first Frame, against decoding and parsing them, in turn in one page. */
async function tracing(browser) {
  const { page, close } = await barePage(browser, readFileSync(trace));
  const result = await page.evaluate(async () => {
    const bytes = new Uint8Array(await (await fetch('/input')).arrayBuffer());
    const core = await startCore();
    const ours = [],
      parse = [];
    for (let run = 0; run < 4; ++run) {
      const session = new core.Session();
      let start = performance.now();
      feed(core, session, 'trace.json', bytes);
      const { ops } = JSON.parse(session.frame().json).all;
      ours.push(performance.now() - start);
      session.delete();
      start = performance.now();
      const parsed = JSON.parse(new TextDecoder().decode(bytes));
      parse.push(performance.now() - start);
      if (!ops || !parsed.traceEvents.length) throw new Error('one of them has read nothing');
    }
    const median = times => times.slice(1).sort((a, b) => a - b)[1];
    return { trace_ms: median(ours), trace_parse_ms: median(parse), trace_memory_mb: core.HEAPU8.length / 1e6 };
  });
  await close();
  return result;
}

/** A table of kernels: eight columns, a million rows, deterministic. */
function kernelTable(rows) {
  let state = 1;
  const next = n => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % n;
  const lines = ['name,M,N,K,dtype,batch,model,time_us'];
  for (let i = 0; i < rows; ++i) {
    const m = 16 << next(8),
      n = 64 << next(7),
      k = 64 << next(7);
    lines.push(
      `gemm_${m}_${n}_${k}_${i},${m},${n},${k},${['f16', 'bf16', 'f32', 'int8'][next(4)]},${1 << next(7)},model-${next(12)},${(((2 * m * n * k) / 4e7) * (1 + next(1000) / 500)).toFixed(3)}`,
    );
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** That table's bytes to the first Frame, against splitting its text and parseFloat of each field; then a filter's two columns to its Frame. */
async function kernels(browser) {
  const { page, close } = await barePage(browser, kernelTable(1_000_000));
  const result = await page.evaluate(async () => {
    const bytes = new Uint8Array(await (await fetch('/input')).arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const core = await startCore();
    const ours = [],
      split = [],
      filter = [];
    for (let run = 0; run < 6; ++run) {
      const session = new core.Session();
      let start = performance.now();
      feed(core, session, 'kernels.csv', bytes);
      const ops = JSON.parse(session.frame().json).all.ops;
      ours.push(performance.now() - start);
      for (const dtype of ['f16', 'int8', 'bf16']) {
        start = performance.now();
        session.view(JSON.stringify({ where: { dtype: [dtype], batch: ['1', '2', '4'] } }));
        session.frame();
        filter.push(performance.now() - start);
      }
      session.delete();
      start = performance.now();
      let sum = 0,
        rows = 0;
      for (const line of text.split('\n')) {
        if (!line) continue;
        const fields = line.split(',');
        for (const field of fields) sum += parseFloat(field) || 0;
        ++rows;
      }
      split.push(performance.now() - start);
      if (rows - 1 !== ops || !(sum > 0)) throw new Error('the two disagree');
    }
    const median = times => times.sort((a, b) => a - b)[times.length >> 1];
    return {
      kernels_1m_ms: median(ours.slice(1)),
      split_1m_ms: median(split.slice(1)),
      kernels_filter_ms: median(filter),
    };
  });
  await close();
  return result;
}

/** The slider of the memory's bandwidth, from its input event to the painted frame: percentiles in ms. */
async function dragging(file) {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  await page.page.locator('#file-input').setInputFiles(file);
  await page.page.waitForTimeout(1000);
  await page.page.locator('.progress').waitFor({ state: 'detached', timeout: 120_000 });
  await page.settled();
  const times = await page.page.evaluate(async () => {
    const slider = document.querySelectorAll('input[type="range"]')[1],
      canvas = document.querySelector('.chart canvas');
    const low = Number(slider.min),
      high = Number(slider.max),
      times = [];
    for (let i = 0; i < 80; ++i) {
      const drawn = new Promise(resolve => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          resolve();
        });
        observer.observe(canvas, { attributeFilter: ['data-painted'] }); // set when the frame is drawn
      });
      const start = performance.now();
      slider.value = String(low + ((high - low) * (20 + ((i * 7) % 60))) / 100);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await drawn;
      await new Promise(resolve => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(0);
      }); // after the paint
      times.push(performance.now() - start);
    }
    return times.slice(5).sort((a, b) => a - b);
  });
  await page.close();
  return { p50: times[Math.floor(times.length * 0.5)], p95: times[Math.floor(times.length * 0.95)] };
}

const median = values => values.sort((a, b) => a - b)[values.length >> 1];

/** A sparse GGUF file of 40 GB: from its choice to the model's headline, in a fresh page each time. */
async function openingGguf() {
  const folder = mkdtempSync(join(tmpdir(), 'roofline-'));
  const file = join(folder, 'llama-70b-Q4_K.gguf');
  writeGguf(file, ...llamaGguf(LLAMA_70B));
  const times = [];
  for (let i = 0; i < 3; ++i) {
    const page = await openPage();
    const start = performance.now();
    await page.page.locator('#file-input').setInputFiles(file);
    await page.page.getByRole('heading', { name: /^Decode at batch/, level: 1 }).waitFor();
    times.push(performance.now() - start);
    await page.close();
  }
  rmSync(folder, { recursive: true });
  return median(times);
}

/** A connection as Lighthouse takes it for a phone: 1.6 Mbit/s, 150 ms there and back. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };

/** The site's address to its first paint, which has the chart, and to the core's first answer, with nothing in any cache; and how long the main thread was held past 50 ms at a stretch. Medians. */
async function arriving(connection) {
  const paint = [],
    answer = [],
    blocked = [];
  const site = await serve(null, true);
  for (let run = 0; run < 5; ++run) {
    const page = await openPage('about:blank', { wait: false });
    const devtools = await page.context.newCDPSession(page.page);
    await devtools.send('Network.enable');
    if (connection) await devtools.send('Network.emulateNetworkConditions', connection);
    await page.page.addInitScript(() => {
      globalThis.blocked = 0;
      new PerformanceObserver(list => {
        for (const { duration } of list.getEntries()) globalThis.blocked += duration - 50;
      }).observe({ type: 'longtask', buffered: true });
      new MutationObserver((_, observer) => {
        if (!document.querySelector('main[aria-busy="false"]')) return;
        globalThis.answered = performance.now();
        observer.disconnect();
      }).observe(document, { subtree: true, childList: true, attributes: true });
    });
    await page.page.goto(site.url, { waitUntil: 'commit' });
    await page.page.waitForFunction(() => globalThis.answered, null, { timeout: 60_000 });
    const seen = await page.page.evaluate(() => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      answer: globalThis.answered,
      blocked: globalThis.blocked,
    }));
    paint.push(seen.paint);
    answer.push(seen.answer);
    blocked.push(seen.blocked);
    await page.close();
  }
  site.close();
  return { paint_ms: median(paint), answer_ms: median(answer), blocked_ms: median(blocked) };
}

/** The longest time that the main thread is held while a file opens: the quickest of three, as other work on the machine is not the page's. */
async function holding(file) {
  const longest = [];
  for (let run = 0; run < 3; ++run) {
    const page = await openPage();
    await page.watchLongTasks();
    await page.page.locator('#file-input').setInputFiles(file);
    await page.page.getByRole('progressbar').waitFor();
    await page.page.getByRole('progressbar').waitFor({ state: 'detached', timeout: 120_000 });
    await page.settled();
    longest.push(await page.longestTask());
    await page.close();
  }
  return Math.min(...longest);
}

/** A bare Plotly.restyle of 1,000 SVG points: what the chart would cost with the chart library. */
async function restyle(browser) {
  const { outputFiles } = await build({
    stdin: { contents: "import P from 'plotly.js/lib/core'; window.Plotly = P;", resolveDir: join(root, 'web') },
    bundle: true,
    write: false,
    minify: true,
    define: { global: 'globalThis' },
    loader: { '.css': 'empty' },
    logLevel: 'error',
  });
  const page = await browser.newPage();
  await page.setContent('<div id="chart" style="width:900px;height:500px"></div>');
  await page.addScriptTag({ content: outputFiles[0].text });
  const ms = await page.evaluate(async () => {
    const points = Array.from({ length: 1000 }, (_, i) => 1 + ((i * 7919) % 1000));
    await Plotly.newPlot(
      'chart',
      [{ type: 'scatter', mode: 'markers', x: points, y: points.map((p, i) => p * (1 + (i % 13))) }],
      { xaxis: { type: 'log' }, yaxis: { type: 'log' } },
    );
    const times = [];
    for (let i = 0; i < 15; ++i) {
      const start = performance.now();
      await Plotly.restyle('chart', { 'marker.opacity': 0.5 + i / 50 });
      await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[7];
  });
  await page.close();
  return ms;
}

const browser = await fromWeb('playwright-core').chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
});
const result = {
  arriving: await arriving(),
  arriving_slowly: await arriving(SLOW),
  holding_1m_ms: await holding(million),
  holding_trace_ms: await holding(trace),
  ...(await opening(browser)),
  ...(await kernels(browser)),
  ...(await tracing(browser)),
  gguf_40gb_ms: await openingGguf(),
  drag_1k: await dragging(thousand),
  drag_1m: await dragging(million),
  plotly_restyle_1k_ms: await restyle(browser),
};
await browser.close();
await end();
console.log(JSON.stringify(result));
