// The table of deployments says which cache limits: web/src/serving/metrics.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';

const { limitName } = await bundled('serving/metrics.ts');

test('"cache" is shown as "KV cache", other limits keep their names', () => {
  assert.equal(limitName('cache'), 'KV cache');
  assert.equal(limitName('time to first token'), 'time to first token');
});
