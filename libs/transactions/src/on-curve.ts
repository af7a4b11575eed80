import { keyBytes } from './address';

const P = 2n ** 255n - 19n;
/** Of the curve -x² + y² = 1 + d·x²·y². */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/** Whether an address can be a wallet's own: one that is on no curve has no key to sign with. */
export function canSign(address: string): boolean {
  const bytes = keyBytes(address);
  if (bytes === null) return false;
  const y = littleEndian(bytes) & (2n ** 255n - 1n);
  if (y >= P) return false;
  const y2 = (y * y) % P;
  // x² is above over below: a square times another, so their product is a square, too.
  const above = (y2 - 1n + P) % P;
  const below = (D * y2 + 1n) % P;
  return above === 0n || power((above * below) % P, (P - 1n) / 2n) === 1n;
}

const littleEndian = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, left] = [base, exponent]; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}
