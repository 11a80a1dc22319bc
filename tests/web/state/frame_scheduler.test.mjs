// When frames are asked for and which parts show them: by a clock of the test, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';

const { FrameScheduler } = await bundled('core/frame_scheduler.ts');

/** Time passes when the test says so. */
class TestClock {
  time = 0;
  timers = new Map();
  next = 1;
  now = () => this.time;
  after = (ms, task) => (this.timers.set(this.next, { at: this.time + ms, task }), this.next++);
  cancel = timer => this.timers.delete(timer);
  async pass(ms) {
    for (const end = this.time + ms; ; ) {
      await settled();
      const due = [...this.timers].sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due || due[1].at > end) return void (this.time = end);
      this.timers.delete(due[0]);
      this.time = due[1].at;
      due[1].task();
    }
  }
}

/** Until all promises that can go on have done so. */
const settled = () => new Promise(resolve => setImmediate(resolve));

/** A page with a chart and three parts. The core answers after `takes` milliseconds, a chart alone after `chartTakes`. */
function page({ takes = 4, chartTakes = 1 } = {}) {
  const clock = new TestClock();
  const all = {
    position: 0,
    scroll: 0,
    asked: [],
    chart: null,
    parts: [null, null, null],
    updates: [],
    fails: false,
    afterShowing: null,
  };
  let whole = null;
  const screen = {
    position: () => [all.position],
    ask(chartAlone) {
      const reply = { position: all.position, scroll: all.scroll, chartAlone };
      all.asked.push({ at: clock.time, ...reply });
      return new Promise((resolve, reject) =>
        clock.after(chartAlone ? chartTakes : takes, () =>
          all.fails ? reject(new Error('the core stopped')) : resolve(reply),
        ),
      );
    },
    isChartAlone: reply => reply.chartAlone,
    showChart(reply) {
      all.chart = reply;
      const { afterShowing } = all;
      if (afterShowing) void Promise.resolve().then(afterShowing); // as rendering does
      all.afterShowing = null;
      if (!reply.chartAlone) whole = reply;
    },
    parts: [0, 1, 2].map(part => () => {
      all.parts[part] = whole;
      all.updates.push({ at: clock.time, part });
    }),
    batch: updates => updates(),
  };
  const scheduler = new FrameScheduler(screen, clock);
  const shows = position => {
    assert.equal(all.chart.position, position);
    assert.deepEqual(
      all.parts.map(part => part.position),
      [position, position, position],
    );
  };
  /** A change at every frame of a 60 Hz screen. */
  const drag = async frames => {
    for (let i = 0; i < frames; ++i) {
      ++all.position;
      void scheduler.request();
      await clock.pass(16);
    }
  };
  return Object.assign(all, { clock, scheduler, shows, drag });
}

/** Shows a first frame, long ago. */
async function opened(options) {
  const it = page(options);
  void it.scheduler.request();
  await it.clock.pass(1000);
  it.asked.length = it.updates.length = 0;
  return it;
}

test('one change updates chart and parts with one request', async () => {
  const it = await opened();
  ++it.position;
  void it.scheduler.request();
  void it.scheduler.request();
  await it.clock.pass(4);
  await settled();
  assert.equal(it.asked.length, 1);
  it.shows(1);
  await it.clock.pass(1000);
  assert.equal(it.asked.length, 1);
});

test('one request is under way at a time, and the newest state wins', async () => {
  const it = await opened({ takes: 100 });
  for (it.position = 1; it.position < 5; ++it.position) {
    void it.scheduler.request();
    await it.clock.pass(10);
  }
  await it.clock.pass(1000);
  assert.deepEqual(
    it.asked.slice(0, 2).map(({ at, position }) => [at, position]),
    [
      [1000, 1],
      [1100, 5],
    ],
  );
  it.shows(5);
});

test('during a drag the chart updates every frame, the parts in turn', async () => {
  const it = await opened();
  await it.drag(1); // a first change alone is no drag
  it.updates.length = 0;
  await it.drag(30);
  assert.deepEqual(
    it.asked.map(({ at, chartAlone }) => [at, chartAlone]),
    Array.from({ length: 31 }, (_, i) => [1000 + 16 * i, false]),
  );
  assert.equal(it.chart.position, 31);
  const times = it.updates.map(({ at }) => at);
  assert.deepEqual(
    times.slice(1).map((at, i) => at - times[i]),
    times.slice(1).map(() => 48),
  );
  assert.deepEqual(
    it.updates.slice(0, 6).map(({ part }) => part),
    [0, 1, 2, 0, 1, 2],
  );
});

test('48 ms after a drag all parts show its last frame, without another request', async () => {
  const it = await opened();
  await it.drag(5);
  const requests = it.asked.length;
  assert.ok(it.parts.some(part => part.position < 5));
  await it.clock.pass(48 - 16 + 4);
  it.shows(5);
  await it.clock.pass(1000);
  assert.equal(it.asked.length, requests);
});

test('while whole frames are slow, a drag asks for the chart alone', async () => {
  const it = await opened({ takes: 20 });
  await it.drag(100); // 1.6 s
  const whole = it.asked.filter(({ chartAlone }) => !chartAlone).map(({ at }) => at);
  assert.equal(it.chart.position, 100);
  assert.ok(it.asked.length > 90, `${it.asked.length} frames`);
  assert.ok(whole.length >= 6 && whole.length <= 9, `${whole.length} whole frames`);
  for (let i = 2; i < whole.length; ++i) assert.ok(whole[i] - whole[i - 1] > 250, `${whole}`);
  await it.clock.pass(200);
  it.shows(100);
});

test('the slower whole frames are, the fewer a drag asks for', async () => {
  const it = await opened({ takes: 100 });
  await it.drag(200); // 3.2 s
  const whole = it.asked.filter(({ chartAlone }) => !chartAlone);
  assert.ok(whole.length >= 3 && whole.length <= 5, `${whole.length} whole frames`);
});

test('a change that follows from showing a frame, once the page has rendered it, is asked for', async () => {
  const it = await opened();
  it.afterShowing = () => {
    ++it.scroll;
    void it.scheduler.request();
  };
  ++it.position;
  void it.scheduler.request();
  await it.clock.pass(1000);
  assert.equal(it.asked.length, 2);
  assert.equal(it.parts[0].scroll, 1);
});

test('scrolling the table is no drag', async () => {
  const it = await opened({ takes: 20 });
  for (it.scroll = 1; it.scroll <= 10; ++it.scroll) {
    void it.scheduler.request();
    await it.clock.pass(25);
    assert.equal(it.parts[0].scroll, it.scroll);
  }
  assert.ok(it.asked.every(({ chartAlone }) => !chartAlone));
});

test('refresh resolves when all parts show a whole frame, also during a drag', async () => {
  const it = await opened({ takes: 20 });
  await it.drag(4);
  ++it.position;
  let done = false;
  void it.scheduler.refresh().then(() => (done = true));
  await it.clock.pass(1);
  assert.equal(done, false);
  await it.clock.pass(20);
  await settled();
  assert.equal(done, true);
  assert.equal(it.asked.at(-1).chartAlone, false);
  it.shows(5);
});

test('what is shown without a request reaches all parts at once', () => {
  const it = page();
  it.scheduler.show({ position: 7, chartAlone: false });
  it.shows(7);
});

test('after a request that fails the next one is asked for', async () => {
  const it = await opened();
  it.fails = true;
  const failed = assert.rejects(it.scheduler.request(), /the core stopped/);
  await it.clock.pass(10);
  await failed;
  it.fails = false;
  ++it.position;
  void it.scheduler.request();
  await it.clock.pass(10);
  it.shows(1);
});
