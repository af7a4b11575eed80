import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { frost, idOf, packageOf } from './group';
import { dealtWallet } from './testing';

const { Fn } = frost.utils;
const { Point } = ed25519;
const { roster, shares } = dealtWallet();
const group_key = Buffer.from(roster.commitments[0]!, 'base64');
const secret = { identifier: idOf('B'), signingShare: shares.B.secret };

type Commitment = ReturnType<typeof frost.commit>['commitments'];

const sha512 = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const scalarOf = (digest: Buffer): bigint => Fn.create(BigInt(`0x${digest.reverse().toString('hex')}`));
const numberOf = ({ identifier }: Commitment): Buffer => Buffer.from(identifier, 'hex');

/** What anyone can compute of a signature’s equation (RFC 9591, 4.4 to 4.6): share = h + factor · b + slope · key. */
function equationOf(list: readonly [Commitment, Commitment], message: Uint8Array) {
  const suite = 'FROST-ED25519-SHA512-v1';
  const encoded = list.flatMap((one) => [numberOf(one), one.hiding, one.binding]);
  const prefix = [group_key, sha512(suite, 'msg', message), sha512(suite, 'com', ...encoded)];
  const factors = list.map((one) => scalarOf(sha512(suite, 'rho', ...prefix, numberOf(one))));
  const nonce = list.reduce((sum, one, index) => {
    const binding = Point.fromBytes(one.binding).multiply(factors[index]!);
    return sum.add(Point.fromBytes(one.hiding)).add(binding);
  }, Point.ZERO);
  const challenge = scalarOf(sha512(nonce.toBytes(), group_key, message));
  // Of the parties 1 and 2, the second has the Lagrange coefficient 1 / (1 - 2).
  return { factor: factors[1]!, slope: Fn.neg(challenge) };
}

/** Why nonces are in memory alone: the library zeroes the object that it was given, and knows nothing of copies. */
it('three shares under one pair of nonces, restored from a copy, tell the share of the key', () => {
  const { nonces, commitments } = frost.commit(secret);
  const [one, two, three] = ['one', 'two', 'three'].map((text) => {
    const restored = { hiding: nonces.hiding.slice(), binding: nonces.binding.slice() };
    const a = frost.commit({ ...secret, identifier: idOf('A') }).commitments;
    const [list, message] = [[a, commitments] as [Commitment, Commitment], Buffer.from(text)];
    const share = frost.signShare(secret, packageOf(roster.commitments), restored, list, message);
    return { ...equationOf(list, message), share: Fn.fromBytes(share) };
  }) as [Row, Row, Row];
  const [first, second] = [less(one, two), less(one, three)];
  // Two equations in the binding nonce and the key.
  const above = Fn.sub(Fn.mul(first.factor, second.share), Fn.mul(second.factor, first.share));
  const below = Fn.sub(Fn.mul(first.factor, second.slope), Fn.mul(second.factor, first.slope));
  expect(Buffer.from(Fn.toBytes(Fn.div(above, below))).equals(shares.B.secret)).toBe(true);
});

interface Row {
  readonly factor: bigint;
  readonly slope: bigint;
  readonly share: bigint;
}
/** Without the hiding nonce, which is the same in both. */
const less = (one: Row, other: Row): Row => ({
  factor: Fn.sub(one.factor, other.factor),
  slope: Fn.sub(one.slope, other.slope),
  share: Fn.sub(one.share, other.share),
});
