// Files at the edges of what readers expect.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { put, roofline } from '../command.mjs';

const analysis = (name, text) => {
  put(name, text);
  const { status, out, err } = roofline(['analyze', name, '--machine', 'l4', '-o', 'json']);
  assert.equal(status, 0, err);
  return { ...JSON.parse(out), err };
};

await test('a rule behind a table of key_averages ends nothing', () => {
  const rule = '--------  ------------  ------------  ------------';
  const table = [
    rule,
    '    Name    Self CPU %      Self CPU    # of Calls',
    rule,
    'aten::mm        90.00%       1.000ms             2',
    rule,
    'Self CPU time total: 1ms',
    '',
    '----------',
    'epoch 2 done',
  ];
  const { ops } = analysis('averages.txt', `${table.join('\n')}\n`);
  assert.deepEqual(
    ops.map(({ name, count }) => [name, count]),
    [['aten::mm', 2]],
  );
});

await test('a module without a time has not that of the module around it', () => {
  const linear = (name, width, time) =>
    `{"type": "linear", "data_type": "fp16", "input_shape": [4, 8], "weight_shape": [${width}, 8], "name": "${name}", "module": "l.${name}"${time}}`;
  put('modules.json', `[${linear('a', 8, ', "time_us": 10')}, ${linear('b', 16, '')}]`);
  const { out } = roofline(['analyze', 'modules.json', '--machine', 'l4', '--modules', '-o', 'json']);
  const times = Object.fromEntries(JSON.parse(out).summary.by_module.modules.map(({ name, time_s }) => [name, time_s]));
  assert.equal(times.a, 1e-5);
  assert.equal(times.b, null);
});

await test('what stands in place of a network is no network', () => {
  const { ops } = analysis(
    'facts.json',
    '{"network": [1], "commands": [{"type": "linear", "data_type": "fp16", "input_shape": [4, 8], "weight_shape": [8, 8]}]}',
  );
  assert.equal(ops.length, 1);
});

await test('a row of units that scales the FLOPs', () => {
  const { ops } = analysis('units.csv', 'name,time_us,flops\n-,-,[G]\na,10,1\nb,20,2\n');
  assert.deepEqual(
    ops.map(({ flops }) => flops),
    [1e9, 2e9],
  );
});

await test('a name that begins as the name of a sum does is an operation', () => {
  for (const name of ['all_reduce', 'model-head', 'network_0']) {
    const { ops } = analysis('sums.csv', `name,time_us,flops\na,10,1000\nb,20,2000\n${name},30,3000\n`);
    assert.equal(ops.length, 3, name);
  }
  assert.equal(analysis('sums.csv', 'name,time_us,flops\na,10,1000\nb,20,2000\nTotal,30,3000\n').ops.length, 2);
});
