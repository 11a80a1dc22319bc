// The page's module of networks. Needs build/wasm/.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startOnDemand } from './start.mjs';

const bytes = readFileSync(new URL('../data/layers.onnx', import.meta.url));

test('refused lengths and compilers leave the accepted ones in force', async () => {
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
  assert.match(
    commands({ fold: 'magic' }),
    /^{"error".*expected none, all, .* or inductor, found magic.*"path":"fold"/,
  );
  assert.equal(modules(), accepted);
});

test('a network is merged as the machine does, or the engine that ran it, unless rules are chosen', async () => {
  const { calls, put, answer } = await startOnDemand('network.wasm', bytes);
  const toolChain = (settings, choices) => {
    const text = JSON.stringify(settings);
    put(text, JSON.stringify(choices));
    calls.commands(text.length);
    return JSON.parse(answer()).network.tool_chain;
  };
  put('layers.onnx');
  calls.open_network(bytes.length);
  const npu = { machine: 'ethos-u55-256' };
  assert.equal(toolChain({}, {}), 'none');
  assert.equal(toolChain(npu, {}), 'vela');
  assert.equal(toolChain(npu, { engine: 'tensorrt' }), 'tensorrt');
  assert.equal(toolChain(npu, { engine: 'tensorrt', fold: 'none' }), 'none');
  assert.equal(toolChain({ machine: 'intel-npu-4000' }, { engine: 'openvino' }), 'openvino-npu');
  const own = {
    id: 'mine',
    peaks: { matrix: { int8: 1e12 } },
    memories: [{ name: 'SRAM', bandwidth: 1e10 }],
    tool_chain: 'rknn',
  };
  assert.equal(toolChain({ machine: own }, {}), 'rknn');
});
