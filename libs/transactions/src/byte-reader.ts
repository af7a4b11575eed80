/** What cannot be read as a transaction. Never leaves this library. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

/** Reads untrusted bytes from the front; throws `Malformed` where they end too early. */
export class ByteReader {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  take(length: number): Uint8Array {
    const end = this.at + length;
    if (end > this.bytes.length) throw new Malformed('it ends too early');
    const taken = this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }

  byte(): number {
    return this.take(1)[0] as number;
  }

  /** A length of one to three bytes, seven bits each, lowest first, in the shortest form. */
  length(): number {
    let value = 0;
    for (let index = 0; index < 3; index += 1) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * index);
      if (byte < 0x80) {
        if (byte === 0 && index > 0) throw new Malformed('a length is longer than it has to be');
        if (value > 0xffff) break;
        return value;
      }
    }
    throw new Malformed('a length is too big');
  }

  /** A list with its length in front. */
  list<Item>(read: () => Item): Item[] {
    return Array.from({ length: this.length() }, read);
  }

  rest(): Uint8Array {
    return this.take(this.bytes.length - this.at);
  }

  end(): void {
    if (this.at !== this.bytes.length) throw new Malformed('something follows its end');
  }
}

/** The same length as bytes. */
export function lengthBytes(value: number): number[] {
  if (value < 0x80) return [value];
  if (value < 0x4000) return [(value & 0x7f) | 0x80, value >> 7];
  return [(value & 0x7f) | 0x80, ((value >> 7) & 0x7f) | 0x80, value >> 14];
}
