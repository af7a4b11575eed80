import { ed25519 } from '@noble/curves/ed25519.js';
import { base64, hasSigned } from '@tender/transactions';
import fc from 'fast-check';
import { aggregate } from './aggregate';
import { frost, idOf, packageOf } from './group';
import { keyShare } from './key-share';
import type { HostedHolder } from './parties';
import { shareOf } from './sign';
import { ShareInvalid, SigningFault } from './signing-fault';
import { committedBy, dealtWallet, signedTogether } from './testing';

const { roster, shares } = dealtWallet();
const other = dealtWallet();
const message = Buffer.from('a transfer');

/** The order of the group, little-endian: one past the last scalar. */
const ORDER = Buffer.from('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010', 'hex');
const IDENTITY = base64(ed25519.Point.ZERO.toBytes());
/** Of order eight: on the curve, and in no group that signs. */
const TORSION = base64(
  Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex'),
);
const OFF_CURVE = base64(Buffer.alloc(32, 2));
const NO_POINTS = ['', 'not base64', base64(Buffer.alloc(31)), OFF_CURVE, IDENTITY, TORSION];

/** A and B have committed. */
const round = () => {
  const { nonces, commits } = committedBy(shares.A, shares.B);
  return { nonces, commits: { A: commits.A!, B: commits.B! } };
};
/** A and B have signed. */
const signed = () => {
  const { nonces, commits } = round();
  const given = {
    A: shareOf(shares.A, nonces.A!, commits, message),
    B: shareOf(shares.B, nonces.B!, commits, message),
  };
  return { commits, given };
};
const faultOf = (work: () => unknown): SigningFault => {
  try {
    work();
  } catch (error) {
    if (error instanceof SigningFault) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};
const expectCode = (code: string, work: () => unknown): void => {
  expect(faultOf(work).code).toBe(code);
};
const PAIRS: readonly [HostedHolder, HostedHolder][] = [
  ['A', 'B'],
  ['A', 'R'],
  ['R', 'B'],
];

describe('two of three sign', () => {
  it.each(PAIRS)('%s and %s', (one, two) => {
    const signature = signedTogether([shares[one], shares[two]], message);
    expect(hasSigned(roster.wallet, message, signature)).toBe(true);
    const group_key = Buffer.from(roster.commitments[0]!, 'base64');
    expect(ed25519.verify(signature, message, group_key, { zip215: false })).toBe(true);
  });

  it('whatever the message is, and no other message with the same signature', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1232 }), fc.nat(), (bytes, place) => {
        const signature = signedTogether([shares.B, shares.A], bytes);
        expect(hasSigned(roster.wallet, bytes, signature)).toBe(true);
        const changed = Uint8Array.from([...bytes, 0]);
        const at = place % changed.length;
        changed[at] = changed[at]! ^ 1;
        expect(hasSigned(roster.wallet, changed, signature)).toBe(false);
      }),
      { numRuns: 12 },
    );
  });
});

describe('a party refuses to sign', () => {
  it('twice with the same nonces', () => {
    const { nonces, commits } = round();
    shareOf(shares.A, nonces.A!, commits, message);
    expectCode('nonce_already_consumed', () => shareOf(shares.A, nonces.A!, commits, message));
  });

  it('with nonces that were given back', () => {
    const { nonces, commits } = round();
    nonces.A!.erase();
    expectCode('nonce_already_consumed', () => shareOf(shares.A, nonces.A!, commits, message));
  });

  it('after it has refused once: the nonces are burned', () => {
    const { nonces, commits } = round();
    faultOf(() => shareOf(shares.A, nonces.A!, { A: commits.A }, message));
    expectCode('nonce_already_consumed', () => shareOf(shares.A, nonces.A!, commits, message));
  });

  it('beside a number that holds no share, which the library would do', () => {
    const { nonces, commits } = round();
    const stranger = { A: commits.A, 77: commits.B } as never;
    expectCode('quorum_member_invalid', () => shareOf(shares.A, nonces.A!, stranger, message));
    const secret = { identifier: idOf('A'), signingShare: shares.A.secret };
    const { nonces: raw, commitments } = frost.commit(secret);
    const list = [commitments, { ...commitments, identifier: frost.Identifier.fromNumber(77) }];
    const key = packageOf(roster.commitments);
    expect(frost.signShare(secret, key, raw, list, message)).toHaveLength(32);
  });

  it('alone, or with all three', () => {
    const all = committedBy(shares.A, shares.B, shares.R);
    expectCode('quorum_member_invalid', () => shareOf(shares.A, all.nonces.A!, all.commits, message));
    const { nonces, commits } = round();
    expectCode('quorum_member_invalid', () => shareOf(shares.A, nonces.A!, { A: commits.A }, message));
  });

  it('where its own commitment is absent or another', () => {
    const bystander = committedBy(shares.B, shares.R).commits;
    expectCode('own_commitment_missing', () => shareOf(shares.A, round().nonces.A!, bystander, message));
    const swapped = { ...round().commits, A: round().commits.A };
    expectCode('own_commitment_missing', () => shareOf(shares.A, round().nonces.A!, swapped, message));
  });

  it.each(NO_POINTS)('with a commitment that is no point: %p', (no_point) => {
    for (const part of ['hiding', 'binding'] as const) {
      const { nonces, commits } = round();
      const bad = { ...commits, B: { ...commits.B, [part]: no_point } };
      const fault = faultOf(() => shareOf(shares.A, nonces.A!, bad, message));
      expect([fault.code, fault.culprit]).toEqual(['commitment_invalid', 'B']);
    }
  });

  it('with a share that was erased', () => {
    const { nonces, commits } = round();
    const share = keyShare({ ...shares.A, secret: Uint8Array.from(shares.A.secret) });
    share.erase();
    expectCode('key_invalid', () => shareOf(share, nonces.A!, commits, message));
  });
});

describe('what is aggregated', () => {
  const changes: readonly [string, (share: string) => string][] = [
    ['absent', () => undefined as never],
    ['malformed', () => 'no share'],
    ['no scalar', () => base64(ORDER)],
    ['zero', () => base64(new Uint8Array(32))],
    ['changed', (share) => base64(Buffer.from(share, 'base64').fill(7, 0, 1))],
  ];
  it.each(changes)('names the party whose share is %s', (_, change) => {
    const { commits, given } = signed();
    const bad = { ...given, B: change(given.B) };
    const fault = faultOf(() => aggregate(roster, commits, bad, message));
    expect(fault).toBeInstanceOf(ShareInvalid);
    expect([fault.code, fault.culprit]).toEqual(['signer_share_invalid', 'B']);
  });

  it('names a party that signed other bytes', () => {
    const { nonces, commits } = round();
    const given = {
      A: shareOf(shares.A, nonces.A!, commits, Buffer.from('another transfer')),
      B: shareOf(shares.B, nonces.B!, commits, message),
    };
    expect(faultOf(() => aggregate(roster, commits, given, message)).culprit).toBe('A');
  });

  it('names a party that signed with the share of another wallet, as after a reshare', () => {
    const { nonces, commits } = committedBy(shares.A, other.shares.B);
    const given = {
      A: shareOf(shares.A, nonces.A!, commits, message),
      B: shareOf(other.shares.B, nonces.B!, commits, message),
    };
    expect(faultOf(() => aggregate(roster, commits, given, message)).culprit).toBe('B');
  });

  it('is nothing of one share in both places', () => {
    const { commits, given } = signed();
    const fault = faultOf(() => aggregate(roster, commits, { A: given.A, B: given.A }, message));
    expect(fault.culprit).toBe('B');
  });

  it.each(NO_POINTS)('names a party whose commitment is no point: %p', (no_point) => {
    const { commits, given } = signed();
    const bad = { ...commits, A: { ...commits.A, binding: no_point } };
    const fault = faultOf(() => aggregate(roster, bad, given, message));
    expect([fault.code, fault.culprit]).toEqual(['commitment_invalid', 'A']);
  });

  it('blames no party for a key that is not that of the wallet', () => {
    const { commits, given } = signed();
    const keys = [
      { ...roster, wallet: other.roster.wallet },
      { ...roster, commitments: [] },
      { ...roster, commitments: [OFF_CURVE, OFF_CURVE] },
    ];
    for (const key of keys) {
      const fault = faultOf(() => aggregate(key, commits, given, message));
      expect([fault.code, fault.culprit]).toEqual(['key_invalid', null]);
    }
  });
});
