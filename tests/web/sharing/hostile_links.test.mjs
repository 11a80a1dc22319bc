// Links as a stranger may type them: whatever part of one is not what it should be, the page shows its views, and runs nothing of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';
import { OLD_LINKS } from './old_links.mjs';

const HOSTILE = [
  null,
  true,
  -1,
  0.5,
  1e308,
  9007199254740992,
  '',
  '\u0000',
  'x'.repeat(5000),
  '__proto__',
  '<img src=x onerror="throw 1">',
  '../../../etc/passwd',
  'javascript:alert(1)',
  [],
  {},
  [[[[]]]],
  { keys: ['__proto__'], from: 0, to: 0 },
  Array(3000).fill('a'),
];

/** The same numbers every time. */
function* random() {
  for (let state = 1n; ; ) {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    yield Number(state >> 33n);
  }
}

const paths = (value, at = []) =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, part]) => [[...at, key], ...paths(part, [...at, key])])
    : [];

/** A copy with another value at one path, or a key that nobody knows beside it. */
function changed(link, path, value, added) {
  const copy = structuredClone(link);
  let parent = copy;
  for (const key of path.slice(0, -1)) parent = parent[key];
  parent[added ? 'unheard_of' : path.at(-1)] = value;
  return copy;
}

const hashOf = text => `#${Buffer.from(text).toString('base64url')}`;

test('hostile links', async t => {
  const numbers = random();
  const below = n => numbers.next().value % n;
  const links = OLD_LINKS.map(({ hash }) => JSON.parse(Buffer.from(hash.slice(1), 'base64url').toString()));
  const page = await openPage();
  const follow = async hash => {
    await page.page.evaluate(to => location.assign(to), hash);
    await page.painted();
    await check('a view and its summary, or the question for a file', async () => {
      await page.page
        .locator('.drawer .count')
        .or(page.page.getByRole('heading', { name: /not in the link$/ }))
        .waitFor();
      assert.equal(await page.page.evaluate(() => '0' in Object.prototype || 'keys' in Object.prototype), false);
    });
    assert.deepEqual(page.complaints, [], Buffer.from(hash.slice(1), 'base64url').toString().slice(0, 300));
  };

  await t.test('one part of the link is something else', async () => {
    for (let i = 0; i < 60; ++i) {
      const link = links[i % links.length];
      const all = paths(link);
      const value = HOSTILE[below(HOSTILE.length)];
      await follow(hashOf(JSON.stringify(changed(link, all[below(all.length)], value, below(8) === 0))));
    }
  });

  await t.test('the text of the link is damaged', async () => {
    for (let i = 0; i < 20; ++i) {
      const text = Buffer.from(JSON.stringify(links[i % links.length]));
      for (let n = 1 + below(3); n > 0; --n) text[below(text.length)] ^= 1 << below(8);
      await follow(hashOf(text.subarray(0, below(4) === 0 ? below(text.length) : text.length)));
    }
    for (const hash of ['#', '#%', '#%00', `#${'A'.repeat(100_000)}`, '#eyJ']) await follow(hash);
  });

  await t.test('after all of them a good one opens', async () => {
    await follow(OLD_LINKS[0].hash);
    const { says } = OLD_LINKS[0];
    await check('what it says', async () => {
      const text = await page.words();
      for (const part of says) assert.ok(text.includes(part), part);
    });
  });
  await page.close();
});
