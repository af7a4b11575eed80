import { ed25519 } from '@noble/curves/ed25519.js';
import { base58, base64 } from '@tender/transactions';
import { aggregate } from './aggregate';
import { frost, idOf, publicKeyOf } from './group';
import { keyShare } from './key-share';
import { Nonces } from './nonces';
import type { HostedHolder } from './parties';
import { shareOf } from './sign';

/** RFC 9591, appendix E.1: FROST(Ed25519, SHA-512), of which parties 1 and 3 sign. */
const VECTORS = {
  group_public_key: '15d21ccd7ee42959562fc8aa63224c8851fb3ec85a3faf66040d380fb9738673',
  message: '74657374',
  coefficient: '178199860edd8c62f5212ee91eff1295d0d670ab4ed4506866bae57e7030b204',
  shares: {
    A: '929dcc590407aae7d388761cddb0c0db6f5627aea8e217f4a033f2ec83d93509',
    B: 'a91e66e012e4364ac9aaa405fcafd370402d9859f7b6685c07eed76bf409e80d',
    R: 'd3cb090a075eb154e82fdb4b3cb507f110040905468bb9c46da8bdea643a9a02',
  },
  round1: {
    A: {
      randomness: [
        '0fd2e39e111cdc266f6c0f4d0fd45c947761f1f5d3cb583dfcb9bbaf8d4c9fec',
        '69cd85f631d5f7f2721ed5e40519b1366f340a87c2f6856363dbdcda348a7501',
      ],
      nonces: [
        '812d6104142944d5a55924de6d49940956206909f2acaeedecda2b726e630407',
        'b1110165fc2334149750b28dd813a39244f315cff14d4e89e6142f262ed83301',
      ],
      commitments: [
        'b5aa8ab305882a6fc69cbee9327e5a45e54c08af61ae77cb8207be3d2ce13de3',
        '67e98ab55aa310c3120418e5050c9cf76cf387cb20ac9e4b6fdb6f82a469f932',
      ],
    },
    R: {
      randomness: [
        '86d64a260059e495d0fb4fcc17ea3da7452391baa494d4b00321098ed2a0062f',
        '13e6b25afb2eba51716a9a7d44130c0dbae0004a9ef8d7b5550c8a0e07c61775',
      ],
      nonces: [
        'c256de65476204095ebdc01bd11dc10e57b36bc96284595b8215222374f99c0e',
        '243d71944d929063bc51205714ae3c2218bd3451d0214dfb5aeec2a90c35180d',
      ],
      commitments: [
        'cfbdb165bd8aad6eb79deb8d287bcc0ab6658ae57fdcc98ed12c0669e90aec91',
        '7487bc41a6e712eea2f2af24681b58b1cf1da278ea11fe4e8b78398965f13552',
      ],
    },
  },
  signature_shares: {
    A: '001719ab5a53ee1a12095cd088fd149702c0720ce5fd2f29dbecf24b7281b603',
    R: 'bd86125de990acc5e1f13781d8e32c03a9bbd4c53539bbc106058bfd14326007',
  },
  signature:
    '36282629c383bb820a88b71cae937d41f2f2adfcc3d02e55507e2fb9e2dd3cbebd9d2b0844e49ae0f3fa935161e1419aab7b47d21a37ebeae1f17d4987b3160b',
};

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const hexOf = (value: Uint8Array): string => Buffer.from(value).toString('hex');

const coefficient = BigInt(`0x${hexOf(bytes(VECTORS.coefficient).reverse())}`);
const commitments = [
  base64(bytes(VECTORS.group_public_key)),
  base64(ed25519.Point.BASE.multiply(coefficient).toBytes()),
];
const wallet = base58(bytes(VECTORS.group_public_key));
const message = bytes(VECTORS.message);

const shareOfParty = (role: HostedHolder) =>
  keyShare({ role, wallet, epoch: 1, secret: bytes(VECTORS.shares[role]), commitments });

/** Round one with the randomness of the vectors. */
function committed(role: 'A' | 'R') {
  const randomness = VECTORS.round1[role].randomness.map(bytes);
  const secret = { identifier: idOf(role), signingShare: bytes(VECTORS.shares[role]) };
  return frost.commit(secret, () => randomness.shift()!);
}

describe('the vectors of RFC 9591 for Ed25519', () => {
  it('give each party the share that the commitments give it', () => {
    for (const role of ['A', 'B', 'R'] as const) {
      const scalar = BigInt(`0x${hexOf(bytes(VECTORS.shares[role]).reverse())}`);
      const point = base64(ed25519.Point.BASE.multiply(scalar).toBytes());
      expect(publicKeyOf(commitments, [role])?.verifying_shares[role]).toBe(point);
    }
  });

  it('give the nonces, the commitments, the shares and the signature', () => {
    const round1 = { A: committed('A'), R: committed('R') };
    for (const role of ['A', 'R'] as const) {
      const { nonces, commitments: made } = round1[role];
      expect([hexOf(nonces.hiding), hexOf(nonces.binding)]).toEqual(VECTORS.round1[role].nonces);
      expect([hexOf(made.hiding), hexOf(made.binding)]).toEqual(VECTORS.round1[role].commitments);
    }
    const commitOf = (role: 'A' | 'R') => ({
      hiding: base64(round1[role].commitments.hiding),
      binding: base64(round1[role].commitments.binding),
    });
    const commits = { R: commitOf('R'), A: commitOf('A') };
    const signed = (role: 'A' | 'R') =>
      shareOf(shareOfParty(role), new Nonces(round1[role].nonces), commits, message);
    const shares = { A: signed('A'), R: signed('R') };
    for (const role of ['A', 'R'] as const) {
      expect(hexOf(Buffer.from(shares[role], 'base64'))).toBe(VECTORS.signature_shares[role]);
    }
    const signature = aggregate({ wallet, commitments }, commits, shares, message);
    expect(hexOf(signature)).toBe(VECTORS.signature);
  });
});
