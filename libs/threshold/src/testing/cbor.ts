/** What an authenticator says in CBOR: whole numbers, bytes, texts, and maps of those. */
export type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

const [UNSIGNED, NEGATIVE, BYTES, TEXT, MAP] = [0, 1, 2, 3, 5];

export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') {
    return value < 0 ? head(NEGATIVE, -1 - value) : head(UNSIGNED, value);
  }
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([head(TEXT, text.length), text]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(BYTES, value.length), value]);
  const pairs = [...value].flatMap(([key, held]) => [cbor(key), cbor(held)]);
  return Buffer.concat([head(MAP, value.size), ...pairs]);
}

/** The kind of a value, and a number below 65,536 that belongs to it. */
function head(kind: number, count: number): Buffer {
  const major = kind << 5;
  if (count < 24) return Buffer.from([major | count]);
  if (count < 256) return Buffer.from([major | 24, count]);
  return Buffer.from([major | 25, count >> 8, count & 255]);
}
