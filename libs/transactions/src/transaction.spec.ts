import fc from 'fast-check';
import { keyBytes, signatureBytes } from './address';
import { guard } from './guard';
import { paymentMessage } from './payment-message';
import { creating, customer, payment, sponsor, templateOf } from './testing/payments';
import { signedBy } from './testing/signing';
import {
  base64,
  readTransaction,
  transactionBytes,
  transactionOfBase64,
  transactionSignature,
} from './transaction';

describe('untrusted bytes', () => {
  const wire = signedBy(paymentMessage(payment), customer);

  test('are a transaction only with every length as it says', () => {
    expect(readTransaction(wire)?.message.fee_payer).toBe(sponsor.address);
    for (let length = 0; length < wire.length; length += 1) {
      expect(readTransaction(wire.subarray(0, length))).toBeNull();
    }
    expect(readTransaction(Buffer.concat([wire, Buffer.of(0)]))).toBeNull();
    expect(readTransaction(new Uint8Array(1_233))).toBeNull();
  });

  test.each<[string, (message: Buffer) => void]>([
    ['no signer that pays', (message) => (message[1] = 2)],
    ['no signer', (message) => (message[0] = 0)],
    ['more keys that are read than there are', (message) => (message[2] = 200)],
    ['a key that comes twice', (message) => message.copyWithin(4 + 32, 4, 4 + 32)],
    ['an unknown version', (message) => (message[0] = 0x81)],
  ])('with %s are no transaction', (_, spoil) => {
    const message = Buffer.from(paymentMessage(payment));
    spoil(message);
    const signatures = Buffer.alloc(1 + 2 * 64);
    signatures[0] = 2;
    expect(readTransaction(Buffer.concat([signatures, message]))).toBeNull();
  });

  test('come in base64 of one form', () => {
    expect(transactionOfBase64(base64(wire))?.message.fee_payer).toBe(sponsor.address);
    const text = base64(wire);
    for (const other of [
      '',
      'zzzz',
      '%%%',
      `${text}=`,
      ` ${text}`,
      text.slice(1),
      'A'.repeat(1_000_000),
    ]) {
      expect(transactionOfBase64(other)).toBeNull();
    }
  });

  test('addresses and signatures are of one length', () => {
    expect(keyBytes(customer.address)).toHaveLength(32);
    expect(signatureBytes('1'.repeat(63) + '2')).toHaveLength(64);
    // Zeros: it stands for a signature that is missing.
    expect(signatureBytes('1'.repeat(64))).toBeNull();
    for (const text of ['', '0', 'l'.repeat(44), customer.address.repeat(2), '1'.repeat(10_000)]) {
      expect([keyBytes(text), signatureBytes(text)]).toEqual([null, null]);
    }
  });

  test('generated ones never throw and never pass', () => {
    const template = templateOf(payment);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_400 }), (bytes) => {
        expect(guard(bytes, template).ok).toBe(false);
        expect(transactionOfBase64(base64(bytes)) === null || readTransaction(bytes) !== null).toBe(
          true,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test('with one bit turned never pass', () => {
    const template = templateOf(creating);
    const honest = signedBy(paymentMessage(creating), customer);
    // The sponsor's own place holds nothing yet: what stands there is written over.
    for (let at = 0; at < honest.length * 8; at += 1) {
      const sponsors_place = at >= 8 && at < 8 + 64 * 8;
      const bytes = Buffer.from(honest);
      bytes[at >> 3] = (bytes[at >> 3] as number) ^ (1 << (at & 7));
      expect(guard(bytes, template).ok).toBe(sponsors_place);
    }
  });
});

test('a transaction is known by the signature of its fee payer, once that is there', () => {
  const message = paymentMessage(payment);
  const open = readTransaction(signedBy(message, customer));
  const whole = readTransaction(signedBy(message, customer, sponsor));
  expect(open && transactionSignature(open)).toBeNull();
  expect(whole && transactionSignature(whole)).toMatch(/^\w{86,88}$/);
  expect(transactionBytes(message)).toHaveLength(1 + 128 + message.length);
});
