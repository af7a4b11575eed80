import { arrayLiteral } from './array-literal';

/** Object ids of types whose elements Postgres takes as the bytes of their text. */
const TEXTS = { text: 25, json: 114 } as const;
const CASTS = /\$(?<number>\d+)::(?<type>text|json)\[\]/g;

/** Which parameters of a statement, from 0, are arrays of text, and the object id of their elements. */
export type TextArrays = ReadonlyMap<number, number>;

/** As its casts say, such as `$1::text[]`: Postgres takes the type of a parameter from where it comes first. */
export const textArraysOf = (statement: string): TextArrays =>
  new Map(
    [...statement.matchAll(CASTS)].toReversed().map(({ groups }) => {
      const { number, type } = groups as { number: string; type: keyof typeof TEXTS };
      return [Number(number) - 1, TEXTS[type]];
    }),
  );

/**
 * A value as the driver takes it: arrays of text as bytes, which neither side has to escape or to search for quotes,
 * and other arrays of plain values as literals.
 */
export function parameterOf(value: unknown, element: number | undefined): unknown {
  if (!isPlainArray(value)) return value;
  return element === undefined ? arrayLiteral(value) : arrayBytes(value, element);
}

const isPlainArray = (value: unknown): value is Plain[] =>
  Array.isArray(value) && value.every((element) => element === null || typeof element !== 'object');

type Plain = string | number | bigint | boolean | null | undefined;

const HEAD_BYTES = 20;
const NULL_LENGTH = -1;

/** The binary form of an array: its head, then each element with its length before it. */
function arrayBytes(elements: readonly Plain[], element: number): Buffer {
  const texts = elements.map((text) => (text === null || text === undefined ? null : String(text)));
  const lengths = texts.map((text) => (text === null ? NULL_LENGTH : Buffer.byteLength(text)));
  const bytes = Buffer.allocUnsafe(
    lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), HEAD_BYTES),
  );
  const dimensions = 1;
  const has_null = lengths.includes(NULL_LENGTH) ? 1 : 0;
  const first_index = 1;
  let at = 0;
  for (const number of [dimensions, has_null, element, elements.length, first_index]) {
    at = bytes.writeInt32BE(number, at);
  }
  for (const [index, text] of texts.entries()) {
    at = bytes.writeInt32BE(lengths[index] as number, at);
    if (text !== null) at += bytes.write(text, at);
  }
  return bytes;
}
