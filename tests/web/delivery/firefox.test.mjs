// The walk once in Firefox; skipped where there is none.
import { after, test } from 'node:test';
import '../harness.mjs';
import { TASKS } from '../walk/tasks.mjs';
import { firefox, startFirefox } from './firefox.mjs';

const skip = !firefox && 'there is no firefox-esr';
const browser = skip ? null : await startFirefox({ width: 1440, height: 900 });
after(() => browser?.end());

for (const [task, walk] of Object.entries(TASKS)) test(`${task}, in Firefox`, { skip }, () => walk(browser.open));
