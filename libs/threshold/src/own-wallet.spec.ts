import { base64, hasSigned } from '@tender/transactions';
import { CeremonyParticipant } from './ceremony';
import { CeremonyFault } from './ceremony-fault';
import { custodyModelOf } from './custody-model';
import type { CeremonyPlan } from './messages';
import { NUMBER_OF, SELF_ROLES } from './parties';
import { recoveredShare, recoveryKeyPair } from './recovery';
import type { Roster, SignedRoster } from './roster';
import { rosterFault } from './roster-fault';
import { rosterBytes } from './roster-of';
import { ceremonyTable, heldCeremony, ofEach, selfTable, signedTogether } from './testing';

const table = selfTable();
const results = heldCeremony(table);
const { roster } = results.A;
const message = Buffer.from('a transfer');

/** As all three would sign it, whatever it says. */
const signed = (changes: object = {}): SignedRoster => {
  const changed = { ...roster, ...changes } as Roster;
  const signatureOf = (role: (typeof SELF_ROLES)[number]): string =>
    base64(table.identities[role].sign(rosterBytes(changed)));
  return { roster: changed, signatures: ofEach(SELF_ROLES, signatureOf) };
};
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof CeremonyFault) return error.code;
    throw error;
  }
  return 'nothing was thrown';
};

it('a merchant’s own wallet is of both modes, settles nowhere, and two of its shares are the merchant’s', () => {
  expect(roster).toMatchObject({ mode: 'all', settlement_wallet: null, recovery: null });
  expect(roster.parties.map(({ role, holder }) => [role, holder])).toEqual([
    ...[['A', 'tender'], ['C', 'merchant'], ['R', 'merchant']],
  ]);
  expect(custodyModelOf(roster)).toBe('self');
  expect(rosterFault(signed())).toBeNull();
  for (const role of SELF_ROLES) expect(results[role].roster).toEqual(roster);
});

it.each([
  ['C', 'R'],
  ['A', 'C'],
  ['R', 'A'],
] as const)('%s and %s of it sign', (one, two) => {
  const signature = signedTogether([results[one].share, results[two].share], message);
  expect(hasSigned(roster.wallet, message, signature)).toBe(true);
});

it('the numbers of the parties are those of wallets that were made before', () => {
  expect(NUMBER_OF).toEqual({ A: 1, B: 2, R: 3, C: 4 });
});

it('no offline key opens a share of it', () => {
  expect(() => recoveredShare(recoveryKeyPair(), roster)).toThrow('the merchant has share R');
});

const of_hosted = ceremonyTable().plan;
const plans: readonly [string, Partial<CeremonyPlan>][] = [
  ['of one mode', { mode: 'test' }],
  ['that settles elsewhere', { settlement_wallet: of_hosted.parties[0]!.identity_key }],
  ['with B in it', { parties: [...table.plan.parties.slice(0, 2), { ...table.plan.parties[2]!, role: 'B' }] }],
  ['without R', { parties: table.plan.parties.slice(0, 2) }],
  ['with one key for C and R', {
    parties: table.plan.parties.map((party) => ({ ...party, identity_key: party.role === 'A'
      ? party.identity_key : table.plan.parties[2]!.identity_key })),
  }],
  ['whose parties are those of a hosted wallet', { parties: of_hosted.parties }],
];
it.each(plans)('there is no ceremony for one %s', (_, change) => {
  const plan = { ...table.plan, ...change };
  const begin = () =>
    new CeremonyParticipant({
      ...{ role: 'A', identity: table.identities.A, session: 'other', plan, recovery_key: null },
    });
  expect(codeOf(begin)).toBe('dkg_plan_invalid');
});

it('a hosted wallet still takes a pinned offline key', () => {
  const { plan, identities } = ceremonyTable();
  const about = { role: 'A', identity: identities.A, session: 'hosted', plan } as const;
  expect(codeOf(() => new CeremonyParticipant({ ...about, recovery_key: null }))).toBe('dkg_plan_invalid');
});

const tender = roster.parties.map((party) => ({ ...party, holder: 'tender' }));
const renamed = roster.parties.map((party) => (party.role === 'C' ? { ...party, role: 'B' } : party));
it.each([
  ['of one mode', { mode: 'live' }],
  ['all of whose shares are Tender’s', { parties: tender }],
  ['of a customer', { beneficiary: 'customer' }],
  ['with a share for disasters', { recovery: { sealed_to: base64(Buffer.alloc(32, 1)), sealed_share: '' } }],
  ['with a wallet to settle to', { settlement_wallet: roster.wallet }],
  ['with the name of another party', { parties: renamed }],
])('a roster %s is none, though all have signed it', (_, changes) => {
  expect(rosterFault(signed(changes))).toBe('roster_malformed');
});

it('a roster without the signature of C, or with that of another, is not to be relied on', () => {
  const { roster: same, signatures } = signed();
  const { C: _, ...without } = signatures;
  expect(rosterFault({ roster: same, signatures: without })).toBe('roster_malformed');
  const swapped = { ...signatures, C: signatures.R as string };
  expect(rosterFault({ roster: same, signatures: swapped })).toBe('roster_signature_invalid');
});
