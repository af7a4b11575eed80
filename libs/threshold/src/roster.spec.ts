import { base64 } from '@tender/transactions';
import { custodyModelOf } from './custody-model';
import { HOSTED_ROLES, type Role } from './parties';
import { rosterFault, type RosterFault } from './roster-fault';
import { rosterBytes } from './roster-of';
import type { Holder, Roster, SignedRoster } from './roster';
import { dealtWallet, ofRoles, type DealtWallet } from './testing';

const wallet = dealtWallet();
const other = dealtWallet();
const { roster } = wallet;

/** As all three parties would sign it, whatever it says. */
const signed = (changes: object = {}, { identities }: DealtWallet = wallet): SignedRoster => {
  const changed = { ...roster, ...changes } as Roster;
  const signatures = ofRoles((role) => base64(identities[role].sign(rosterBytes(changed))));
  return { roster: changed, signatures };
};
const party = (role: Role, change: object) =>
  roster.parties.map((one) => (one.role === role ? { ...one, ...change } : one));

it('a wallet that a test deals has such a roster', () => {
  expect(rosterFault(wallet)).toBe('roster_malformed');
  expect(rosterFault({ roster, signatures: wallet.signatures })).toBeNull();
});

it('a roster whose key, shares and signatures fit can be relied on, however it was carried', () => {
  expect(rosterFault(signed())).toBeNull();
  const carried: unknown = Object.fromEntries(Object.entries(roster).reverse());
  expect(rosterFault({ ...signed(), roster: carried as Roster })).toBeNull();
});

const faults: readonly [RosterFault, string, object][] = [
  ['roster_wallet_mismatch', 'the address of another wallet', { wallet: other.roster.wallet }],
  ['roster_wallet_mismatch', 'another key', { commitments: other.roster.commitments }],
  [
    'roster_share_mismatch',
    'the point of another share',
    { parties: party('R', { verifying_share: roster.parties[0]!.verifying_share }) },
  ],
  ['roster_malformed', 'a threshold of one', { threshold: 1 }],
  ['roster_malformed', 'one party fewer', { parties: roster.parties.slice(1) }],
  ['roster_malformed', 'one party twice', { parties: roster.parties.map(() => roster.parties[0]) }],
  [
    'roster_malformed',
    'one identity for two',
    { parties: party('B', { identity_key: roster.parties[0]!.identity_key }) },
  ],
  [
    'roster_malformed',
    'an identity that all can sign for',
    { parties: party('R', { identity_key: '11111111111111111111111111111111' }) },
  ],
  ['roster_malformed', 'commitments that are no points', { commitments: ['AA==', 'AA=='] }],
  ['roster_malformed', 'no epoch', { epoch: 0 }],
  ['roster_malformed', 'a field more', { more: 1 }],
  ['roster_malformed', 'no recovery', { recovery: null }],
];
it.each(faults)('is refused as %s: %s', (fault, _, changes) => {
  expect(rosterFault(signed(changes))).toBe(fault);
});

it.each(HOSTED_ROLES)('is refused where %s has not signed it', (role) => {
  const strange = signed({}, other).signatures[role] as string;
  const { signatures } = signed();
  const faultOf = (signature: string) =>
    rosterFault({ roster, signatures: { ...signatures, [role]: signature } });
  expect(faultOf(strange)).toBe('roster_signature_invalid');
  expect(faultOf('')).toBe('roster_malformed');
});

it('is refused after any change, by signatures over the roster before', () => {
  const { signatures } = signed();
  for (const change of [
    { settlement_wallet: other.roster.wallet },
    { mode: 'live' },
    { merchant_id: 'merchant-2' },
    { beneficiary: 'customer' },
    { epoch: 2 },
    { parties: party('B', { holder: 'merchant' }) },
    { recovery: other.roster.recovery },
  ]) {
    const changed = { ...roster, ...change } as Roster;
    expect(rosterFault({ roster: changed, signatures })).toBe('roster_signature_invalid');
  }
});

it.each([null, undefined, 'text', [], {}, { roster }, { roster: null, signatures: {} }])(
  'is not %p, and that throws nothing',
  (value) => {
    expect(rosterFault(value as unknown as SignedRoster)).toBe('roster_malformed');
  },
);

describe('the custody model', () => {
  const models: readonly [string, readonly Holder[], object, string][] = [
    ['both signers are Tender’s', ['tender', 'tender', 'offline'], {}, 'shared'],
    ['a customer’s money', ['tender', 'tender', 'offline'], { beneficiary: 'customer' }, 'operator'],
    ['the merchant holds two', ['tender', 'merchant', 'merchant'], {}, 'self'],
    ['the merchant holds one', ['tender', 'merchant', 'offline'], {}, 'shared'],
    ['both hold two', ['tender', 'tender', 'merchant', 'merchant'], {}, 'shared'],
  ];
  it.each(models)('where %s', (_, holders, changes, model) => {
    const parties = holders.map((holder) => ({ ...roster.parties[0]!, holder }));
    expect(custodyModelOf({ ...roster, ...changes, parties })).toBe(model);
  });
});
