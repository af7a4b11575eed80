import jsQr from 'jsqr';
import { qrCode, type QrCode } from './qr-code';

/** Pixels of a module, and light modules around them all. */
const [SCALE, EDGE] = [4, 4];

/** What a camera reads off paper. */
function read({ size, rows }: QrCode, hide: (x: number, y: number) => boolean = () => false) {
  const side = (size + 2 * EDGE) * SCALE;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  const darken = (x: number, y: number): void => {
    for (let line = 0; line < SCALE; line += 1) {
      const first = ((y + EDGE) * SCALE + line) * side + (x + EDGE) * SCALE;
      for (let at = first; at < first + SCALE; at += 1) pixels.fill(0, at * 4, at * 4 + 3);
    }
  };
  rows.forEach((runs, y) => {
    for (const { from, width } of runs) {
      for (let x = from; x < from + width; x += 1) if (!hide(x, y)) darken(x, y);
    }
  });
  return jsQr(pixels, side, side)?.data ?? null;
}

const TEXTS = [
  'https://pay.example.com/l/abc',
  'solana:7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV?amount=25.5&spl-token=' +
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v&label=Caf%C3%A9&reference=' +
    '82ZJ7nbGpixjeDCmEhUcmwXYfvurzAgGdtSMuHnUyny',
  'Ünïcode 支付',
  'x'.repeat(600),
];

it.each(TEXTS)('reads %s back', (text) => {
  const code = qrCode(text);
  expect(code.rows).toHaveLength(code.size);
  expect(read(code)).toBe(text);
});

it('is read with a part of it hidden', () => {
  const text = TEXTS[1] as string;
  const code = qrCode(text);
  const middle = code.size / 2;
  const hidden = read(code, (x, y) => Math.abs(x - middle) < 5 && Math.abs(y - middle) < 5);
  expect(hidden).toBe(text);
});

it('has level M: of its smallest size, 14 bytes are the most', () => {
  expect([14, 15].map((bytes) => qrCode('x'.repeat(bytes)).size)).toEqual([21, 25]);
});

it('tells each run of dark modules once, and the finder that begins each code', () => {
  const { rows, size } = qrCode('a');
  expect(size).toBe(21);
  expect(rows[0]?.[0]).toEqual({ from: 0, width: 7 });
  for (const runs of rows) {
    runs.reduce((end, { from, width }) => {
      expect(from).toBeGreaterThan(end);
      expect(width).toBeGreaterThan(0);
      return from + width;
    }, -1);
  }
});
