// roofline list and show, and the command line itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refused, roofline } from '../command.mjs';

await test('list: every kind as a table and as JSON', () => {
  for (const [kind, id] of [
    ['machines', 'npu-32t50'],
    ['models', 'llama-3-8b'],
    ['formats', 'fp16'],
    ['operators', 'conv'],
  ]) {
    const objects = JSON.parse(roofline(['list', kind, '-o', 'json']).out);
    assert.ok(
      objects.some(object => object.id === id),
      kind,
    );
    assert.ok(
      objects.every(object => typeof object.id === 'string' && typeof object.name === 'string'),
      kind,
    );
    const { status, out, err } = roofline(['list', kind]);
    assert.deepEqual([status, err], [0, '']);
    const lines = out.trimEnd().split('\n');
    assert.equal(lines.length, objects.length + 1);
    assert.match(lines[0], /^id +name/);
    objects.forEach((object, i) => assert.ok(lines[i + 1].startsWith(object.id + ' '), lines[i + 1]));
  }
  const formats = JSON.parse(roofline(['list', 'formats', '-o', 'json']).out);
  assert.deepEqual(
    formats.filter(f => f.id === 'int8').map(f => [f.bits, f.effective_bits]),
    [[8, 8]],
  );
  const models = JSON.parse(roofline(['list', 'models', '-o', 'json']).out);
  assert.deepEqual(
    models.filter(m => m.id === 'llama-3-8b').map(m => [m.parameters, m.active_parameters]),
    [[8030261248, 8030261248]],
  );
  refused(2, ['list', 'things'], /things/);
  refused(2, ['list'], /KIND/);
});

await test('show: one thing as a table and as JSON', () => {
  const machine = JSON.parse(roofline(['show', 'machine', 'NPU 32T50', '-o', 'json']).out);
  assert.equal(machine.id, 'npu-32t50');
  const { value, source, basis } = machine.memories[0].bandwidth;
  assert.equal(value, 50e9);
  assert.ok(source && basis);
  const text = roofline(['show', 'machine', 'npu-32t50']).out;
  assert.match(text, /^id +npu-32t50$/m);
  assert.match(text, /^    bandwidth +50 GB\/s \(\w/m);
  assert.match(text, /int8 +\S+ TFLOP\/s/);
  assert.equal(JSON.parse(roofline(['show', 'format', 'INT8', '-o', 'json']).out).id, 'int8');
  assert.match(roofline(['show', 'format', 'mxfp4']).out, /^effective_bits +4\.25$/m);
  assert.equal(JSON.parse(roofline(['show', 'operator', 'ID_CONV', '-o', 'json']).out).id, 'conv');
  assert.match(roofline(['show', 'operator', 'conv']).out, /matrix_flops/);
});

await test('show: what does not exist, with what is near', () => {
  refused(2, ['show', 'machine', 'npu-32t5O'], /npu-32t5O.*npu-32t50/);
  refused(2, ['show', 'format', 'flaot16'], /flaot16.*fp16|flaot16.*float16/);
  refused(2, ['show', 'operator', 'convv'], /convv.*conv/);
  refused(2, ['show', 'thing', 'x'], /thing/);
  refused(2, ['show', 'machine'], /ID/);
});

await test('the command line itself', () => {
  for (const args of [
    [],
    ['analyze'],
    ['accuracy'],
    ['op'],
    ['compare'],
    ['list'],
    ['show'],
    ['llm'],
    ['quantize'],
    ['serve'],
  ]) {
    const help = roofline([...args, '--help']);
    assert.deepEqual([help.status, help.err], [0, ''], args.join(' '));
    assert.match(help.out, /--version/);
    const positionals = /Positionals:\n((?: +.*\n)+)/.exec(help.out)?.[1] ?? '';
    for (const [, name] of positionals.matchAll(/^ {2}(\S+)/gm)) assert.match(name, /^[A-Z]+$/); // newer CLI11s refuse to start with others
    const version = roofline([...args, '--version']);
    assert.equal(version.status, 0);
    assert.match(version.out, /^roofline \d+\.\d+\.\d+\n$/);
  }
  refused(2, [], /subcommand/);
  refused(2, ['nothing'], /nothing|subcommand/);
  refused(2, ['analyze'], /FILE/);
  refused(2, ['analyze', 'ops.json', 'more.json', 'third.json'], /third\.json/);
  refused(2, ['analyze', 'ops.json', '--nothing'], /--nothing/);
  refused(2, ['analyze', 'ops.json', '-o', 'pdf'], /pdf/);
  refused(2, ['list', 'machines', '-o', 'csv'], /csv/);
});
