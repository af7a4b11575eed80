import { attacksOnProofs, otherOperations, SoftPasskey } from '@tender/signer-domain/testing';
import type { HostedRole, Proof } from '@tender/threshold';
import { atEach, ofArea, type Attack, type Row } from '../attack';
import { Owner, ownerOf } from '../stage/owner';
import { someWallet, USDC } from '../stage/target';

type Work = (owner: Owner, role: HostedRole) => Promise<string>;

/** On a wallet that is frozen before and after. */
const row = (expects: string, name: string, work: Work): Row => [
  ...([expects, name] as const),
  async (target) => {
    const owner = await ownerOf(target);
    return atEach((role) => work(owner, role));
  },
];

/** On a wallet of its own at each signer. */
const alone = (expects: string, name: string, work: Work): Row => [
  ...([expects, name] as const),
  (target) => atEach(async (role) => work(await Owner.of(target), role)),
];

const LIMIT = 5_000_000;
/** For names, which are the same for every merchant. */
const ANY = { merchant_id: 'any', mode: 'test', wallet: 'any' } as const;
const UNFREEZING = { type: 'unfreeze_operating_wallet', ...ANY } as const;
const LIMITING = { type: 'set_operating_wallet_limits', ...ANY, per_day_cents: LIMIT } as const;

const changed = attacksOnProofs.map(({ code, name, changes }) =>
  row(code, `unfreezing by a proof ${name}`, (owner, role) =>
    owner.unfreeze(role, owner.allowing(owner.unfreezing, changes(Date.now()))),
  ),
);

const forOthers = [
  ...otherOperations(UNFREEZING).map((_, place) =>
    row('passkey_operation_mismatch', `unfreezing by a proof for something else (${place + 1})`, (owner, role) => {
      const meant = otherOperations(owner.unfreezing)[place];
      return owner.unfreeze(role, owner.allowing(meant as typeof UNFREEZING));
    }),
  ),
  ...otherOperations(LIMITING).map((_, place) =>
    row('passkey_operation_mismatch', `raising a limit by a proof for something else (${place + 1})`, (owner, role) => {
      const meant = otherOperations(owner.limiting(LIMIT))[place];
      return owner.limit(role, LIMIT, owner.allowing(meant as typeof LIMITING));
    }),
  ),
];

/** An honest proof, with something else in one of its fields. */
const replaced = (name: string, change: (proof: Proof) => unknown): Row =>
  row('passkey_signature_malformed', `unfreezing by ${name}`, (owner, role) =>
    owner.unfreeze(role, change(owner.allowing(owner.unfreezing))),
  );

const malformed = [
  replaced('no proof', () => null),
  replaced('a proof with a field more', (proof) => ({ ...proof, more: 'x' })),
  replaced('a proof with short data', (proof) => ({ ...proof, authenticator_data: 'AAAA' })),
  replaced('a proof whose client data is no JSON', (proof) => ({ ...proof, client_data_json: 'AAAA' })),
];

const byOthers = [
  row('passkey_unknown_credential', 'unfreezing by a passkey that no signer has pinned', (owner, role) =>
    owner.unfreeze(role, new SoftPasskey().allowing(owner.unfreezing, Date.now())),
  ),
  row('passkey_unknown_credential', 'unfreezing by the passkey of another merchant', async (owner, role) => {
    const other = await Owner.of(owner.target);
    return owner.unfreeze(role, other.allowing(owner.unfreezing));
  }),
  row('passkey_invalid', 'unfreezing by another passkey under the id of the known one', (owner, role) => {
    const { credential_id } = owner.passkey;
    const proof = new SoftPasskey().allowing(owner.unfreezing, Date.now());
    return owner.unfreeze(role, { ...proof, credential_id });
  }),
  alone('passkey_invalid', 'unfreezing by a passkey that has counted back', async (owner, role) => {
    await owner.limit(role, LIMIT, owner.allowing(owner.limiting(LIMIT), { counter: 9 }));
    return owner.unfreeze(role, owner.allowing(owner.unfreezing, { counter: 8 }));
  }),
  [
    'passkey_required',
    'unfreezing a wallet whose merchant has no passkey',
    async (target) => {
      const { wallet, ask } = await target.another();
      const proof = new SoftPasskey().allowing({ ...UNFREEZING, wallet }, Date.now());
      return atEach((role) => ask(role, 'unfreeze', { wallet, proof }));
    },
  ] satisfies Row,
];

const again = [
  alone('passkey_challenge_consumed', 'unfreezing by a proof once more, after it was frozen again', async (owner, role) => {
    const proof = owner.allowing(owner.unfreezing);
    await owner.unfreeze(role, proof);
    await owner.freeze(role);
    return owner.unfreeze(role, proof);
  }),
  alone('passkey_challenge_consumed', 'setting a limit once more, after it was lowered', async (owner, role) => {
    const proof = owner.allowing(owner.limiting(LIMIT));
    await owner.limit(role, LIMIT, proof);
    await owner.limit(role, 1, owner.allowing(owner.limiting(1)));
    return owner.limit(role, LIMIT, proof);
  }),
  row('passkey_challenge_expired', 'unfreezing later, by the clock of one signer alone', (owner, role) => {
    const proof = owner.allowing(owner.unfreezing);
    return owner.target.field.later([role], 120_000, () => owner.unfreeze(role, proof));
  }),
  alone('wallet_frozen', 'a transfer after every proof that is none', async (owner, role) => {
    for (const { changes } of attacksOnProofs) {
      await owner.unfreeze(role, owner.allowing(owner.unfreezing, changes(Date.now())));
    }
    return owner.target.propose(role, owner.target.refund());
  }),
  alone('day_limit_exceeded', 'a transfer above the limit that a passkey has set', async (owner, role) => {
    await owner.unfreeze(role);
    await owner.limit(role, 100, owner.allowing(owner.limiting(100)));
    const { transfers, credited } = owner.target;
    return owner.target.propose(role, transfers.operation(credited, 2n * USDC));
  }),
];

const asks = [
  row('wallet_unknown', 'unfreezing a wallet of strangers', (owner, role) =>
    owner.target.ask(role, 'unfreeze', { wallet: someWallet(), proof: owner.allowing(owner.unfreezing) }),
  ),
  row('wallet_unknown', 'a limit for a wallet of strangers', (owner, role) => {
    const proof = owner.allowing(owner.limiting(LIMIT));
    return owner.target.ask(role, 'limit', { wallet: someWallet(), day_limit_cents: LIMIT, proof });
  }),
  row('ask_malformed', 'unfreezing no wallet', ({ target }, role) => target.ask(role, 'unfreeze', {})),
  ...[0, 1.5, 2e11, '5', null].map((cents) =>
    row('ask_malformed', `a limit of ${JSON.stringify(cents)}`, (owner, role) =>
      owner.limit(role, cents, owner.allowing(owner.limiting(LIMIT))),
    ),
  ),
];

export const onProofs: readonly Attack[] = ofArea(
  'passkeys',
  ...[...changed, ...forOthers, ...malformed, ...byOthers, ...again, ...asks],
);
