import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base64, hasSigned } from '@tender/transactions';
import { CeremonyParticipant } from './ceremony';
import { CeremonyFault } from './ceremony-fault';
import { publicKeyOf } from './group';
import { identityOf } from './identity';
import type { Envelope, Round1, Round2, Round3, Signed } from './messages';
import { HOSTED_ROLES, type HostedHolder, type Role } from './parties';
import { openRecovery, recoveryKeyPair } from './recovery';
import { rosterBytes } from './roster-of';
import { signMessage } from './signed-message';
import {
  ceremonyTable,
  heldCeremony,
  ofRoles,
  signedTogether,
  type Carrier,
  type Table,
} from './testing';

const IDENTITIES = ofRoles(() => identityOf(randomBytes(32)));
const message = Buffer.from('a transfer');
const table = (session?: string): Table => ceremonyTable(session, IDENTITIES);

const faultOf = (work: () => unknown): readonly [string, Role | null] => {
  try {
    work();
  } catch (error) {
    if (error instanceof CeremonyFault) return [error.code, error.culprit];
    throw error;
  }
  throw new Error('nothing was thrown');
};

/** A carrier that gives one party something else in one round. */
const giving =
  (to: Role, round: 2 | 3 | 4, change: (given: readonly Signed[]) => readonly Signed[]): Carrier =>
  (given, receiver, now) =>
    receiver === to && now === round ? change(given) : given;

/** The message of one sender, changed. */
const changing =
  (from: Role, change: (signed: Signed) => Signed) =>
  (given: readonly Signed[]): readonly Signed[] =>
    given.map((one) => (one.message.from === from ? change(one) : one));

/** Of a sender that breaks the protocol itself: what it says is signed. */
const saying =
  <Body>(role: HostedHolder, change: (body: Body) => unknown) =>
  (given: readonly Signed[]): readonly Signed[] =>
    changing(role, ({ message: { body, ...rest } }) =>
      signMessage(IDENTITIES[role], { ...rest, body: change(body as Body) } as Envelope),
    )(given);

const edited = (body: object) => (signed: Signed): Signed => ({
  ...signed,
  message: { ...signed.message, body: { ...(signed.message.body as object), ...body } },
});

describe('a ceremony', () => {
  const held = table();
  const results = heldCeremony(held);
  const { roster } = results.A;

  it('gives all three the same roster, and signatures over it', () => {
    for (const role of HOSTED_ROLES) {
      expect(results[role].roster).toEqual(roster);
      const signature = Buffer.from(results[role].roster_signature, 'base64');
      const { public_key } = IDENTITIES[role];
      expect(hasSigned(public_key, rosterBytes(roster), signature)).toBe(true);
    }
    expect(publicKeyOf(roster.commitments, HOSTED_ROLES)?.wallet).toBe(roster.wallet);
  });

  it.each([
    ['A', 'B'],
    ['B', 'R'],
    ['R', 'A'],
  ] as const)('makes a key that %s and %s sign with', (one, two) => {
    const signature = signedTogether([results[one].share, results[two].share], message);
    expect(hasSigned(roster.wallet, message, signature)).toBe(true);
  });

  it('leaves a share for disasters that the offline key opens, and no other', () => {
    const share = openRecovery(held.recovery, roster.recovery!.sealed_share);
    expect(Buffer.from(share.secret).equals(results.R.share.secret)).toBe(true);
    const signature = signedTogether([results.B.share, share], message);
    expect(hasSigned(roster.wallet, message, signature)).toBe(true);
    const stranger = recoveryKeyPair();
    expect(() => openRecovery(stranger, roster.recovery!.sealed_share)).toThrow('not sealed to this');
  });

  it('tells no message a secret: neither what a party was dealt nor what it holds', () => {
    const carried: Signed[] = [];
    const made = heldCeremony(table(), (given) => {
      carried.push(...given);
      return given;
    });
    const text = JSON.stringify(carried);
    for (const role of HOSTED_ROLES) {
      const secret = Buffer.from(made[role].share.secret);
      const forms = [secret.toString('hex'), secret.toString('base64')];
      expect(forms.some((form) => text.includes(form))).toBe(false);
    }
    const dealt = carried.filter(({ message: { kind } }) => kind === 'ceremony.share');
    expect(dealt).toHaveLength(6);
    for (const { message: { from, to, body } } of dealt) {
      const value = publicKeyOf(round1Of(carried, from as Role).commitment, HOSTED_ROLES)!;
      const points = pointsIn(Buffer.from((body as Round2).sealed_share, 'base64'));
      expect(points.length).toBeGreaterThan(30);
      expect(points).not.toContain(value.verifying_shares[to as HostedHolder]);
    }
  });
});

const round1Of = (carried: readonly Signed[], from: Role): Round1 =>
  carried.find(({ message: { kind, from: sender } }) => kind === 'ceremony.begin' && sender === from)!
    .message.body as Round1;

/** Of every 32 bytes in a row, the point that they would be the secret of. */
function pointsIn(bytes: Buffer): readonly string[] {
  const { Point } = ed25519;
  return Array.from({ length: bytes.length - 31 }, (_, at) => {
    const number = BigInt(`0x${Buffer.from(bytes.subarray(at, at + 32)).reverse().toString('hex')}`);
    return base64(Point.BASE.multiply(Point.Fn.create(number)).toBytes());
  });
}

describe('a carrier that is hostile', () => {
  const earlier: Signed[][] = [];
  heldCeremony(table('earlier'), (given, to, round) => {
    if (to === 'A') earlier[round] = [...given];
    return given;
  });
  const replayed = (from: Role, round: 2 | 3 | 4) => () =>
    earlier[round]!.find(({ message: { from: sender } }) => sender === from)!;

  it.each([2, 3, 4] as const)('cannot bring a message of another ceremony in round %i', (round) => {
    const carry = giving('A', round, changing('B', replayed('B', round)));
    expect(faultOf(() => heldCeremony(table(), carry))).toEqual(['dkg_wrong_session', null]);
  });

  const edits: readonly [2 | 3 | 4, object][] = [
    [2, { seal_key: base64(randomBytes(32)) }],
    [3, { sealed_share: base64(randomBytes(72)) }],
    [3, { transcript: '00' }],
    [4, { group_key: 'another' }],
  ];
  it.each(edits)('cannot edit a message of round %i: case %#', (round, body) => {
    const carry = giving('A', round, changing('B', edited(body)));
    expect(faultOf(() => heldCeremony(table(), carry))).toEqual(['dkg_bad_signature', null]);
  });

  const amounts: readonly [2 | 3 | 4, string, (given: readonly Signed[]) => readonly Signed[]][] = [
    [2, 'fewer', (given) => given.slice(1)],
    [2, 'one twice', (given) => [...given.slice(1), given[1]!]],
    [2, 'more', (given) => [...given, given[0]!]],
    [2, 'no list', () => 'no list' as never],
    [2, 'nothing', (given) => given.map(() => null as never)],
    [3, 'fewer', (given) => given.slice(1)],
    [3, 'one twice', (given) => [given[0]!, given[0]!]],
    [4, 'one twice', (given) => [...given.slice(1), given[1]!]],
  ];
  it.each(amounts)('cannot carry in round %i %s', (round, _, change) => {
    const carry = giving('A', round, change);
    expect(faultOf(() => heldCeremony(table(), carry))).toEqual(['dkg_incomplete', null]);
  });

  it('cannot give a party what is for another', () => {
    const { participants } = table();
    const round1 = HOSTED_ROLES.map((role) => participants[role].round1());
    const dealt = HOSTED_ROLES.flatMap((role) => participants[role].round2(round1));
    const to_r = dealt.filter(({ message: { to } }) => to === 'R');
    const b_to_a = dealt.find(({ message: { from, to } }) => from === 'B' && to === 'A')!;
    const fault = faultOf(() => participants.R.round3([to_r[0]!, b_to_a]));
    expect(fault).toEqual(['dkg_unexpected_message', null]);
  });

  it('cannot have another party’s key taken for R’s', () => {
    const { plan, identities } = table();
    const identity_key = identities.A.public_key;
    const parties = plan.parties.map((party) => ({ ...party, identity_key }));
    const recovery_key = base64(randomBytes(32));
    const options = { role: 'A', identity: identities.A, session: 's', recovery_key } as const;
    const begin = (changed: object) => () =>
      new CeremonyParticipant({ ...options, plan: { ...plan, ...changed } });
    const reversed = [...plan.parties].reverse();
    for (const changed of [{ parties }, { parties: reversed }, { mode: 'main' }, { more: 1 }]) {
      expect(faultOf(begin(changed))).toEqual(['dkg_plan_invalid', null]);
    }
    expect(begin({})).not.toThrow();
  });

  it('cannot tell the parties different plans', () => {
    const { participants, plan } = table('one');
    const lied = new CeremonyParticipant({
      role: 'B',
      identity: IDENTITIES.B,
      session: 'one',
      plan: { ...plan, settlement_wallet: IDENTITIES.A.public_key },
      recovery_key: base64(randomBytes(32)),
    });
    const told = { participants: { ...participants, B: lied } } as Table;
    expect(faultOf(() => heldCeremony(told))).toEqual(['dkg_transcript_mismatch', null]);
  });

  it('cannot ask for a round again, or too early: a polynomial deals once', () => {
    const { participants: { A, B, R } } = table();
    expect(faultOf(() => A.round2([]))).toEqual(['dkg_out_of_order', null]);
    const round1 = [A.round1(), B.round1(), R.round1()];
    expect(faultOf(() => A.round1())).toEqual(['dkg_out_of_order', null]);
    A.round2(round1);
    expect(faultOf(() => A.round2(round1))).toEqual(['dkg_out_of_order', null]);
    expect(faultOf(() => A.finish([]))).toEqual(['dkg_out_of_order', null]);
  });
});

describe('a party that is hostile', () => {
  it('cannot tell the others different commitments', () => {
    const [honest, twin] = [table('equivocal'), table('equivocal')];
    const other = twin.participants.R.round1();
    const carry = giving('A', 2, changing('R', () => other));
    expect(faultOf(() => heldCeremony(honest, carry))).toEqual(['dkg_transcript_mismatch', null]);
  });

  it('cannot be spoken for by a second process that has its key', () => {
    const [honest, twin] = [table('twice'), table('twice')];
    const other = twin.participants.A.round1();
    const carry: Carrier = (given, _, round) =>
      round === 2 ? changing('A', () => other)(given) : given;
    expect(faultOf(() => heldCeremony(honest, carry))).toEqual(['dkg_transcript_mismatch', null]);
  });

  const { Point } = ed25519;
  const point = (value: { toBytes(): Uint8Array }) => base64(value.toBytes());
  const some = point(Point.BASE.multiply(7n));
  const torsion = base64(
    Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex'),
  );
  const malformed: readonly [string, Partial<Round1> | object][] = [
    ['no commitment', { commitment: [] }],
    ['one that is too long', { commitment: [some, some, some] }],
    ['no base64', { commitment: ['?', '?'] }],
    ['a point off the curve', { commitment: [some, base64(Buffer.alloc(32, 2))] }],
    ['the identity', { commitment: [some, point(Point.ZERO)] }],
    ['a point of small order', { commitment: [torsion, some] }],
    ['a proof of the wrong length', { proof_of_knowledge: base64(randomBytes(63)) }],
    ['a key to seal with of low order', { seal_key: base64(new Uint8Array(32)) }],
    ['a field more', { more: 1 }],
  ];
  it.each(malformed)('is named for %s', (_, body) => {
    const carry = giving('A', 2, saying('B', (said: Round1) => ({ ...said, ...body })));
    expect(faultOf(() => heldCeremony(table(), carry))).toEqual(['dkg_malformed', 'B']);
  });

  const unproven: readonly [string, (said: Round1) => Round1][] = [
    ['another commitment', (said) => ({ ...said, commitment: [some, said.commitment[1]!] })],
    ['no proof', (said) => ({ ...said, proof_of_knowledge: base64(Buffer.alloc(64, 3)) })],
  ];
  it.each(unproven)('is named for %s', (_, change) => {
    const carry = giving('B', 2, saying('R', change));
    expect(faultOf(() => heldCeremony(table(), carry))).toEqual(['dkg_proof_invalid', 'R']);
  });

  it('is named for the commitment of another, which it repeats as its own', () => {
    const carry: Carrier = (given, to, round) =>
      to === 'A' && round === 2
        ? saying('R', () => given.find(({ message: { from } }) => from === 'B')!.message.body)(given)
        : given;
    expect(faultOf(() => heldCeremony(table(), carry))).toEqual(['dkg_proof_invalid', 'R']);
  });

  it('is named for a share that does not open', () => {
    const sealed_share = base64(randomBytes(72));
    const carry = giving('A', 3, saying('R', (said: Round2) => ({ ...said, sealed_share })));
    expect(faultOf(() => heldCeremony(table(), carry))).toEqual(['dkg_share_invalid', 'R']);
  });

  it('is named for a share that does not fit its commitment', () => {
    // R has dealt to A from another polynomial, under the seal key of this one.
    const { participants: { A, B, R } } = table('misdealt');
    const round1 = [A.round1(), B.round1(), R.round1()] as const;
    const R2 = new CeremonyParticipant({
      role: 'R',
      identity: IDENTITIES.R,
      session: 'misdealt',
      plan: table().plan,
      recovery_key: base64(recoveryKeyPair().public_key),
    });
    const other = R2.round1();
    const mixed = signMessage(IDENTITIES.R, {
      ...round1[2].message,
      body: { ...round1[2].message.body, seal_key: other.message.body.seal_key },
    });
    const told = [round1[0], round1[1], mixed];
    const [from_b] = [A.round2(told), B.round2(told)][1]!;
    const [from_r] = R2.round2([round1[0], round1[1], other]);
    const lie = signMessage(IDENTITIES.R, {
      ...from_r!.message,
      body: { ...from_r!.message.body, transcript: from_b!.message.body.transcript },
    });
    expect(faultOf(() => A.round3([from_b!, lie]))).toEqual(['dkg_share_invalid', 'R']);
  });

  const wrong: readonly Partial<Round3>[] = [
    { group_key: IDENTITIES.A.public_key },
    { verifying_shares: { A: some, B: some, R: some } },
  ];
  it.each(wrong)('is named for another key from the same round 1: case %#', (body) => {
    const carry = giving('A', 4, saying('B', (said: Round3) => ({ ...said, ...body })));
    expect(faultOf(() => heldCeremony(table(), carry))).toEqual(['dkg_group_key_mismatch', 'B']);
  });

  it('cannot end after another round 1', () => {
    const carry = giving('A', 4, saying('B', (said: Round3) => ({ ...said, transcript: '00' })));
    expect(faultOf(() => heldCeremony(table(), carry))).toEqual(['dkg_transcript_mismatch', null]);
  });

  it('does not seal its share to a key that opens without a secret', () => {
    const { plan, participants } = table('low');
    const recovery_key = base64(new Uint8Array(32));
    const about = { role: 'R', identity: IDENTITIES.R, session: 'low', plan } as const;
    const R = new CeremonyParticipant({ ...about, recovery_key });
    const fault = faultOf(() => heldCeremony({ participants: { ...participants, R } }));
    expect(fault).toEqual(['dkg_plan_invalid', null]);
  });

  it.each([
    ['seals to another key', 'R', { sealed_to: base64(randomBytes(32)), sealed_share: 'AAAA' }],
    ['seals nothing', 'R', null],
    ['is not R and seals', 'B', { sealed_to: base64(randomBytes(32)), sealed_share: 'AAAA' }],
  ] as const)('is named where it %s', (_, role, recovery) => {
    const carry = giving('A', 4, saying(role, (said: Round3) => ({ ...said, recovery })));
    expect(faultOf(() => heldCeremony(table(), carry))).toEqual(['dkg_recovery_mismatch', role]);
  });
});
