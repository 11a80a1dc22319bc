// The walk once in Firefox; skipped where there is none.
import { test } from 'node:test';
import '../harness.mjs';
import { firefox, startFirefox } from './firefox.mjs';
import { walk } from './walk.mjs';

test('a walk in Firefox', { skip: !firefox && 'there is no firefox-esr' }, async () => {
  const { open, end } = await startFirefox({ width: 1440, height: 900 });
  try {
    await walk(open);
  } finally {
    await end();
  }
});
