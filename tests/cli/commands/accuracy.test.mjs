// roofline accuracy: the samples, tensors in files, and what docs/guide/accuracy.md shows.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { binary, folder, put, repository, roofline } from '../command.mjs';
import { validate } from '../schemas.mjs';

/// A .npy of 32-bit numbers.
function npy(numbers, shape) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')}, ), }\n`;
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length & 255, header.length >> 8]);
  return Buffer.concat([start, Buffer.from(header), Buffer.from(Float32Array.from(numbers).buffer)]);
}

function safetensors(tensors) {
  let offset = 0;
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, { dtype, shape, data }]) => [
      name,
      { dtype, shape, data_offsets: [offset, (offset += data.length)] },
    ]),
  );
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...Object.values(tensors).map(({ data }) => data)]);
}

function accuracy(...args) {
  const { status, out, err } = roofline(['accuracy', ...args]);
  assert.deepEqual([status, err], [0, '']);
  return out;
}

function refused(exit, args, message) {
  const { status, out, err } = roofline(['accuracy', ...args]);
  assert.deepEqual([status, out], [exit, '']);
  assert.match(err, message);
}

/// What numpy.savez writes: a ZIP archive of arrays as they are; with `pack`, of what that makes of them, as numpy.savez_compressed does.
/// `state`: what the directory says of an array: its length and checksum.
function npz(arrays, pack, state = data => [data.length, gzipSync(data).readUInt32LE(gzipSync(data).length - 8)]) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, array] of Object.entries(arrays)) {
    const file = Buffer.from(`${name}.npy`);
    const data = pack ? pack(array) : array;
    const [length, crc] = state(array);
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(crc);
    sizes.writeUInt32LE(data.length, 4);
    sizes.writeUInt32LE(length, 8);
    const start = Buffer.from([0, 0, 0, 0, pack ? 8 : 0, 0, 0, 0, 0, 0]); // versions, flags, method, time
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), start, sizes, Buffer.from([file.length, 0, 0, 0]), file]);
    const offset = Buffer.alloc(4);
    offset.writeUInt32LE(at);
    directory.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02'),
        Buffer.alloc(2),
        start,
        sizes,
        Buffer.from([file.length, 0]),
        Buffer.alloc(12),
        offset,
        file,
      ]),
    );
    parts.push(local, data);
    at += local.length + data.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, list, Buffer.from('PK\x05\x06'), end]);
}

await test('accuracy: packed tensors and archives of them', () => {
  const steps = npy(
    Array.from({ length: 128 }, (_, i) => (i % 15) - 7),
    [2, 64],
  );
  const tens = npy(
    Array.from({ length: 64 }, () => 10),
    [1, 64],
  );
  put('plain.npy', steps);
  put('steps.npy.gz', gzipSync(steps));
  put('model.npz', npz({ steps, tens }));
  const [plain, packed] = ['plain.npy', 'steps.npy.gz'].map(name => JSON.parse(accuracy(name, '-o', 'json')));
  assert.deepEqual(packed.formats, plain.formats);
  assert.deepEqual(JSON.parse(accuracy('model.npz', '--tensor', 'steps', '-o', 'json')).formats, plain.formats);
  assert.match(accuracy('model.npz', '--list'), /^steps +<f4 +2 x 64 +128\ntens +<f4 +1 x 64 +64$/m);
  refused(2, ['model.npz'], /^model\.npz: holds 2 tensors.*--list/);
  put('broken.npy.gz', gzipSync(steps).subarray(0, 60));
  refused(1, ['broken.npy.gz'], /^broken\.npy\.gz: corrupt gzip/);
  put('archive.npz', Buffer.from('PK\x03\x04 and no directory'));
  refused(1, ['archive.npz'], /^archive\.npz: is a ZIP archive that is not whole/);
});

await test('accuracy: what numpy.savez_compressed writes', () => {
  const steps = npy(
    Array.from({ length: 128 }, (_, i) => (i % 15) - 7),
    [2, 64],
  );
  const noise = npy(
    Array.from({ length: 1 << 17 }, (_, i) => Math.sin(i * i)),
    [1 << 10, 1 << 7],
  ); // longer than what tells its header
  put('plain.npy', steps);
  put('noise.npy', noise);
  put('packed.npz', npz({ steps, noise }, deflateRawSync));
  const formats = (...args) => JSON.parse(accuracy(...args, '-o', 'json')).formats;
  assert.deepEqual(formats('packed.npz', '--tensor', 'steps'), formats('plain.npy'));
  assert.deepEqual(formats('packed.npz', '--tensor', 'noise'), formats('noise.npy'));
  validate(binary, JSON.parse(accuracy('packed.npz', '--list', '-o', 'json')), 'tensors');
  assert.match(accuracy('packed.npz', '--list'), /^steps +<f4 +2 x 64 +128\nnoise +<f4 +1024 x 128 +131072$/m);
  put('packed.npz.gz', gzipSync(npz({ steps }, deflateRawSync)));
  assert.deepEqual(formats('packed.npz.gz'), formats('plain.npy'));
  put(
    'stored.npz',
    npz({ steps }, data => deflateRawSync(data, { level: 0 })),
  );
  assert.deepEqual(formats('stored.npz'), formats('plain.npy'));

  const faults = {
    'corrupt.npz': [npz({ steps }, data => deflateRawSync(data).fill(0xff, 0, 1)), /\(invalid block type\)/],
    'cut.npz': [npz({ steps }, data => deflateRawSync(data).subarray(0, -20)), /\(.*\)/],
    'checksum.npz': [npz({ steps }, deflateRawSync, data => [data.length, 1]), /\(incorrect data check\)/],
    'less.npz': [npz({ steps }, deflateRawSync, data => [data.length - 1, 0]), /\(there is more\)/],
    'bomb.npz': [npz({ steps: Buffer.alloc(50e6) }, deflateRawSync, () => [1000, 0]), /\(there is more\)/],
    'more.npz': [
      npz({ steps }, deflateRawSync, data => [data.length + 1, gzipSync(data).readUInt32LE(gzipSync(data).length - 8)]),
      /\(incorrect length check\)/,
    ],
  };
  for (const [name, [bytes, reason]] of Object.entries(faults)) {
    put(name, bytes);
    const message = new RegExp(
      `^${name.replace('.', '\\.')}: steps: cannot be unpacked ${reason.source}: expected the \\d+ bytes that the archive states\n$`,
    );
    refused(1, [name], message);
    refused(1, [name, '--list'], message);
  }
  // What is wrong behind the header is found when its numbers are read.
  put(
    'late.npz',
    npz({ noise }, data => {
      const packed = deflateRawSync(data);
      packed[packed.length - 1000] ^= 0x55;
      return packed;
    }),
  );
  accuracy('late.npz', '--list');
  refused(
    1,
    ['late.npz'],
    /^late\.npz: noise: cannot be unpacked \(.*\): expected the 524\d+ bytes that the archive states/,
  );
  put('text.npz', npz({ steps: Buffer.from('no array') }, deflateRawSync));
  refused(1, ['text.npz'], /^text\.npz: steps: is no \.npy array: expected/);
});

await test('accuracy: the table in docs/guide/accuracy.md is what the command prints', () => {
  const [, shown] = /`roofline accuracy` prints\n\n```\n([^]*?)```/.exec(
    readFileSync(join(repository, 'docs/guide/accuracy.md'), 'utf8'),
  );
  assert.equal(accuracy(), shown);
});

await test('accuracy: json and csv of chosen formats, in the order given', () => {
  const document = JSON.parse(accuracy('--formats', 'INT8,q4_k_m,fp64', '-o', 'json'));
  assert.deepEqual([document.schema, document.tensor], ['roofline-accuracy/1', null]);
  assert.deepEqual(
    document.formats.map(({ id }) => id),
    ['int8', 'q4_k_m', 'fp64'],
  );
  const [int8, q4, fp64] = document.formats;
  assert.ok(int8.sqnr_db.gaussian > 40 && int8.sqnr_db.outlier_channels < 23);
  assert.deepEqual([q4.sqnr_db.gaussian, q4.exact], [null, []]);
  assert.deepEqual([fp64.sqnr_db.gaussian, fp64.exact], [null, ['gaussian', 'student_t5', 'outlier_channels']]);
  const lines = accuracy('--formats', 'int8,fp64', '-o', 'csv').trim().split('\n');
  assert.equal(lines[0], 'format,effective_bits,gaussian_sqnr_db,student_t5_sqnr_db,outlier_channels_sqnr_db');
  assert.equal(Number(lines[1].split(',')[2]), int8.sqnr_db.gaussian);
  assert.equal(lines[2], 'fp64,64,exact,exact,exact');
});

await test("accuracy: a tensor of one's own", () => {
  // Whole numbers up to 7 and their sevenths: INT4 holds them, once their maximum is 7 steps.
  put(
    'steps.npy',
    npy(
      Array.from({ length: 128 }, (_, i) => (i % 15) - 7),
      [2, 64],
    ),
  );
  const { tensor, formats } = JSON.parse(accuracy('steps.npy', '-o', 'json'));
  assert.deepEqual(
    [tensor.shape, tensor.elements, tensor.min, tensor.max, tensor.file],
    [[2, 64], 128, -7, 7, 'steps.npy'],
  );
  const of = id => formats.find(format => format.id === id);
  for (const id of ['int4', 'int4_g32', 'fp16', 'bf16', 'mxint8', 'fp32'])
    assert.deepEqual(of(id).exact, ['tensor'], id);
  assert.ok(of('mxfp4').sqnr_db.tensor > 10 && of('int2').sqnr_db.tensor < 10);
  assert.match(accuracy('steps.npy'), /^int4 +4 +exact$/m);
  assert.match(accuracy('steps.npy'), /^steps\.npy: 2 x 64 of <f4, from -7 to 7, root mean square 4\.\d+$/m);
});

await test('accuracy: one tensor of a safetensors file', () => {
  const bytes = Buffer.from(Float32Array.of(1, 2, 3, Infinity).buffer);
  put(
    'model.safetensors',
    safetensors({
      'layer.0.weight': { dtype: 'F32', shape: [2, 2], data: bytes },
      'layer.1.weight': { dtype: 'BF16', shape: [4, 2], data: Buffer.alloc(16, 0x3f) },
      packed: { dtype: 'F4', shape: [4], data: Buffer.alloc(2) },
    }),
  );
  assert.equal(
    accuracy('model.safetensors', '--list'),
    'name            type  shape  elements\nlayer.0.weight  F32   2 x 2         4\nlayer.1.weight  BF16  4 x 2         8\npacked          F4    4             4\n',
  );
  const listed = JSON.parse(accuracy('model.safetensors', '--list', '-o', 'json'));
  assert.deepEqual(
    listed.tensors.map(({ readable }) => readable),
    [true, true, false],
  );
  validate(binary, listed, 'tensors');
  assert.match(accuracy('model.safetensors', '--tensor', 'layer.0.weight'), /^not finite, and taken as 0: 1$/m);
  assert.match(accuracy('model.safetensors', '--tensor', 'layer.1.weight', '--formats', 'bf16'), /^bf16 +16 +exact$/m);
  refused(2, ['model.safetensors'], /^model\.safetensors: holds 3 tensors: .*--tensor NAME/);
  refused(
    2,
    ['model.safetensors', '--tensor', 'layer.0.wieght'],
    /holds no tensor "layer\.0\.wieght": did you mean layer\.0\.weight/,
  );
  refused(1, ['model.safetensors', '--tensor', 'packed'], /packed: elements of type F4 are not read: expected/);
});

await test('accuracy: files and options that will not do', () => {
  put('text.json', '[{"type": "relu"}]');
  put('short.npy', npy([1, 2, 3], [4]));
  refused(1, ['text.json'], /^text\.json: is no tensor file: expected/);
  refused(1, ['short.npy'], /^short\.npy: shape: ends within its data, which should have 16 bytes/);
  refused(1, ['absent.npy'], /^absent\.npy: cannot be opened/);
  refused(1, ['.'], /^\.: is a folder/);
  refused(2, ['--formats', 'int9'], /--formats: unknown format "int9": did you mean int8/);
  refused(2, ['--list'], /expected a FILE/);
  refused(2, ['-o', 'svg'], /svg/);
});
