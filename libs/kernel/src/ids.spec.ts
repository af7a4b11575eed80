import fc from 'fast-check';
import { base62, bytesOfIdCharacters, idCharacters, isUuid, modeOfUuid, uuidOf } from './ids';

const bytes16 = fc.uint8Array({ minLength: 16, maxLength: 16 });

describe('ids', () => {
  it('writes 128 bits as 22 characters, none of which is lost', () => {
    expect(idCharacters(new Uint8Array(16))).toBe('0'.repeat(22));
    expect(idCharacters(new Uint8Array(16).fill(255))).toBe('7n42DGM5Tflk9n8mt7Fhc7');
    fc.assert(
      fc.property(bytes16, bytes16, (one, other) => {
        expect(idCharacters(one)).toMatch(/^[0-9A-Za-z]{22}$/);
        const same = Buffer.from(one).equals(Buffer.from(other));
        expect(idCharacters(one) === idCharacters(other)).toBe(same);
      }),
    );
  });

  it('reads the bytes of 22 characters back, and none from what it never writes', () => {
    fc.assert(
      fc.property(bytes16, (bytes) => {
        const read = bytesOfIdCharacters(idCharacters(bytes));
        expect(read && Buffer.from(read).equals(Buffer.from(bytes))).toBe(true);
      }),
    );
    const bad = ['', '7n42DGM5Tflk9n8mt7Fhc8', 'z'.repeat(22), '0'.repeat(21), `${'0'.repeat(21)}-`];
    expect(bad.map(bytesOfIdCharacters)).toEqual(bad.map(() => null));
  });

  it('uses the first 16 bytes only', () => {
    const long = Uint8Array.from({ length: 32 }, (_, index) => index);
    expect(idCharacters(long)).toBe(idCharacters(long.subarray(0, 16)));
    expect(uuidOf(long)).toBe(uuidOf(long.subarray(0, 16)));
  });

  it('pads on the left', () => {
    expect(base62(Uint8Array.of(61), 3)).toBe('00z');
    expect(base62(Uint8Array.of(62), 3)).toBe('010');
  });

  it('makes a UUID of version 8', () => {
    expect(uuidOf(Uint8Array.from({ length: 16 }, (_, index) => index * 17))).toBe(
      '00112233-4455-8677-8899-aabbccddeeff',
    );
    fc.assert(
      fc.property(bytes16, (bytes) => {
        expect(uuidOf(bytes)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
        expect(isUuid(uuidOf(bytes))).toBe(true);
      }),
    );
  });

  it('says the mode of an object in the last bit of its UUID, and changes nothing else', () => {
    fc.assert(
      fc.property(bytes16, (bytes) => {
        const [test, live] = [uuidOf(bytes, 'test'), uuidOf(bytes, 'live')];
        expect([modeOfUuid(test), modeOfUuid(live)]).toEqual(['test', 'live']);
        expect([test, live]).toContain(uuidOf(bytes));
        expect(test.slice(0, -1)).toBe(live.slice(0, -1));
      }),
    );
  });

  it('reads no mode from a UUID of another version: its last bit is chance', () => {
    expect(modeOfUuid('00112233-4455-4677-8899-aabbccddeeff')).toBeNull();
    expect(modeOfUuid('00112233-4455-8677-8899-aabbccddeeff')).toBe('live');
  });

  it.each(['', 'x', '{00112233-4455-8677-8899-aabbccddeeff}', '00112233445586778899aabbccddeeff'])(
    'does not take %j for a UUID',
    (text) => {
      expect(isUuid(text)).toBe(false);
    },
  );
});
