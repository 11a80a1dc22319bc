// Protocol buffers' wire format, written and read: an account of profilers' binary files that shares nothing with the core's.

const varint = value => {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
};

export const double = value => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return { wire: 1, bytes };
};
export const float = value => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return { wire: 5, bytes };
};

/// A message of [number, value] pairs: whole numbers, texts, messages, or what double() and float() make.
export const message = (...fields) =>
  Buffer.concat(
    fields.flatMap(([number, value]) => {
      const tag = wire => varint((number << 3) | wire);
      if (typeof value === 'number' || typeof value === 'bigint') return [tag(0), varint(value)];
      if (value.wire) return [tag(value.wire), value.bytes];
      const bytes = Buffer.from(value);
      return [tag(2), varint(bytes.length), bytes];
    }),
  );

/// The fields of a message: { number, value }, a BigInt of varints, a Buffer of everything else.
export function* fields(bytes) {
  let at = 0;
  const read = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = length => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const tag = Number(read());
    const wire = tag & 7;
    const value = wire === 0 ? read() : take(wire === 1 ? 8 : wire === 5 ? 4 : Number(read()));
    yield { number: tag >> 3, value };
  }
}

export const all = (bytes, number) =>
  [...fields(bytes)].filter(field => field.number === number).map(({ value }) => value);
export const one = (bytes, number) => all(bytes, number).at(-1);
