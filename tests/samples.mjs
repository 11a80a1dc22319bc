// Real files of other tools, beside the repository or in ROOFLINE_SAMPLES. A suite that imports this says once where it goes without them.
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Their folder; empty where there is none. */
export const samples =
  [
    process.env.ROOFLINE_SAMPLES,
    ...['../../shared/samples', '../../../shared/samples'].map(path => fileURLToPath(new URL(path, import.meta.url))),
  ].find(path => path && existsSync(path)) ?? '';

/** The option of tests that need them. */
export const skip = samples ? false : 'no ../shared/samples';

if (skip) test('real files of other tools', { skip });
