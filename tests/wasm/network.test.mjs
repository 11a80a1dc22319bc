// The page's module of networks. Needs build/wasm/.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startOnDemand } from './start.mjs';

const bytes = readFileSync(new URL('../data/layers.onnx', import.meta.url));

test('refused lengths leave the accepted ones in force', async () => {
  const { calls, put, answer } = await startOnDemand('network.wasm', bytes);
  const json = () => JSON.parse(answer());
  const settings = '{}';
  const commands = choices => {
    put(settings, JSON.stringify(choices));
    calls.commands(settings.length);
    return answer();
  };
  const modules = () => {
    put(settings);
    calls.modules(settings.length);
    return answer();
  };
  put('layers.onnx');
  calls.open_network(bytes.length);
  assert.deepEqual(json(), {});
  commands({});
  const usual = modules();
  commands({ dimensions: { batch: 8 } });
  const accepted = modules();
  assert.notEqual(accepted, usual);
  assert.match(commands({ dimensions: { batch: 0 } }), /^{"error".*the dimension batch/);
  assert.equal(modules(), accepted);
});
