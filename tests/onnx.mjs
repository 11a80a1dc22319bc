// ONNX models of one product: by a weight of 2 GB, which no test need write, because it is a hole in the file, or in another file that is not
// there; and one of INT8.
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs';

const ROWS = 2 ** 15;
const COLUMNS = 2 ** 14;
export const WEIGHT_BYTES = 4 * ROWS * COLUMNS;
export const MACS = ROWS * COLUMNS; // of an input of one row

const varint = value => {
  const out = [];
  for (; value >= 128; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return [...out, value];
};
const head = (number, bytes) => [...varint(number * 8 + 2), ...varint(bytes)]; // tag and length of a field that holds `bytes` bytes
const field = (number, bytes) => [...head(number, bytes.length), ...bytes];
const text = (number, value) => field(number, [...Buffer.from(value)]);
const integer = (number, value) => [...varint(number * 8), ...varint(value)];

const shape = [...field(1, integer(1, 1)), ...field(1, integer(1, ROWS))];
const input = field(11, [...text(1, 'x'), ...field(2, field(1, [...integer(1, 1), ...field(2, shape)]))]);
const node = field(1, [...text(1, 'x'), ...text(1, 'w'), ...text(2, 'y'), ...text(4, 'MatMul')]);
const tensor = [...integer(1, ROWS), ...integer(1, COLUMNS), ...integer(2, 1), ...text(8, 'w')];
const version = integer(1, 8);

/** The weight's bytes are in the file, which is sparse. */
export function writeSparseOnnx(path) {
  const weight = [...tensor, ...head(9, WEIGHT_BYTES)];
  const graph = [...head(5, weight.length + WEIGHT_BYTES), ...weight];
  const rest = [...input, ...node];
  const start = [...version, ...head(7, graph.length + WEIGHT_BYTES + rest.length), ...graph];
  const file = openSync(path, 'w');
  writeSync(file, Buffer.from(start));
  ftruncateSync(file, start.length + WEIGHT_BYTES);
  writeSync(file, Buffer.from(rest), 0, null, start.length + WEIGHT_BYTES);
  closeSync(file);
}

/** The weight's bytes are in a file that is not there. */
export function writeOnnxWithoutItsData(path) {
  const external = [...field(13, [...text(1, 'location'), ...text(2, 'weights.bin')]), ...integer(14, 1)];
  const graph = [...field(5, [...tensor, ...external]), ...input, ...node];
  writeFileSync(path, Buffer.from([...version, ...field(7, graph)]));
}

/** A product of [1, time, 4] by weights of [4, 2]: no usual length stands in for its time. */
export function openLengthOnnx() {
  const lengths = [...field(1, integer(1, 1)), ...field(1, text(2, 'time')), ...field(1, integer(1, 4))];
  const x = field(11, [...text(1, 'x'), ...field(2, field(1, [...integer(1, 1), ...field(2, lengths)]))]);
  const w = field(5, [...integer(1, 4), ...integer(1, 2), ...integer(2, 1), ...text(8, 'w')]);
  return Buffer.from([...version, ...field(7, [...w, ...x, ...node])]);
}

/** A product of INT8 by weights of INT8. */
export function quantisedOnnx() {
  const [int8, length] = [3, 64];
  const lengths = [...field(1, integer(1, 1)), ...field(1, integer(1, length))];
  const x = field(11, [...text(1, 'x'), ...field(2, field(1, [...integer(1, int8), ...field(2, lengths)]))]);
  const product = field(1, [...text(1, 'x'), ...text(1, 'w'), ...text(2, 'y'), ...text(4, 'MatMulInteger')]);
  const data = Array.from({ length: length * length }, (_, i) => i % 100);
  const w = [...integer(1, length), ...integer(1, length), ...integer(2, int8), ...text(8, 'w'), ...field(9, data)];
  return Buffer.from([...version, ...field(7, [...field(5, w), ...x, ...product])]);
}

/** Two MatMuls in sequence with FP32 weights; the second one's have outliers, so their SQNR is lower. */
export function weightsOnnx() {
  const length = 256;
  const square = [...integer(1, length), ...integer(1, length), ...integer(2, 1)];
  const floats = (name, value) => {
    const data = new Uint8Array(Float32Array.from({ length: length * length }, (_, i) => value(i)).buffer);
    return field(5, [...square, ...text(8, name), ...field(9, [...data])]);
  };
  const even = i => ((i * 7919) % 2003) / 1001 - 1;
  const outlier = i => (i % 5000 === 0 ? 30 : even(i));
  const lengths = [...field(1, integer(1, 1)), ...field(1, integer(1, length))];
  const x = field(11, [...text(1, 'x'), ...field(2, field(1, [...integer(1, 1), ...field(2, lengths)]))]);
  const product = (name, ...tensors) => {
    const [a, b, y] = tensors;
    return field(1, [...text(1, a), ...text(1, b), ...text(2, y), ...text(3, name), ...text(4, 'MatMul')]);
  };
  const graph = [
    ...floats('w', even),
    ...floats('v', outlier),
    ...x,
    ...product('first', 'x', 'w', 'h'),
    ...product('second', 'h', 'v', 'y'),
  ];
  return Buffer.from([...version, ...field(7, graph)]);
}

/** A model of one node of that type, of one input and one result. */
export function onnxModel(type) {
  const one = field(1, [...text(1, 'x'), ...text(2, 'y'), ...text(4, type)]);
  return Buffer.from([...version, ...field(7, [...one, ...input])]);
}
