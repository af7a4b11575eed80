import { SoftPasskey } from '@tender/signer-domain/testing';
import type { HostedRole } from '@tender/threshold';
import { atEach, ofArea, type Attack, type Row } from '../attack';
import { Owner, ownerOf } from '../stage/owner';

type Work = (owner: Owner, role: HostedRole) => Promise<string>;

/** What leaves the passkeys of the merchant as they are. */
const row = (expects: string, name: string, work: Work): Row => [
  ...([expects, name] as const),
  async (target) => {
    const owner = await ownerOf(target);
    return atEach((role) => work(owner, role));
  },
];
const alone = (expects: string, name: string, work: Work): Row => [
  ...([expects, name] as const),
  (target) => atEach(async (role) => work(await Owner.of(target), role)),
];

/** As many as a merchant may have. */
const PASSKEYS_MAX = 20;

async function tooMany(owner: Owner, role: HostedRole): Promise<string> {
  for (let count = 1; count < PASSKEYS_MAX; count += 1) {
    const next = new SoftPasskey();
    const word = await owner.pin(role, next, owner.allowing(owner.pinning(next)));
    if (word !== 'answered passkey.pin') return word;
  }
  const last = new SoftPasskey();
  return owner.pin(role, last, owner.allowing(owner.pinning(last)));
}

const pinning = [
  row('passkey_required', 'pinning a second passkey by oneself', (owner, role) => owner.pin(role, new SoftPasskey())),
  row('passkey_unknown_credential', 'pinning a second passkey, allowed by itself', (owner, role) => {
    const second = new SoftPasskey();
    return owner.pin(role, second, second.allowing(owner.pinning(second), Date.now()));
  }),
  row('passkey_required', 'pinning the first passkey of a merchant, allowed by itself', async (owner, role) => {
    const other = await owner.target.another();
    const [{ merchant_id }, own] = [other.roster, new SoftPasskey()];
    const { credential_id, public_key } = own;
    const operation = { type: 'pin_passkey', merchant_id, credential_id, public_key } as const;
    const proof = own.allowing(operation, Date.now());
    return other.ask(role, 'passkey.pin', { merchant_id, credential_id, public_key, proof });
  }),
  row('passkey_operation_mismatch', 'pinning another passkey than was allowed', (owner, role) =>
    owner.pin(role, new SoftPasskey(), owner.allowing(owner.pinning(new SoftPasskey()))),
  ),
  row('passkey_operation_mismatch', 'pinning another key under the id that was allowed', (owner, role) => {
    const [second, other] = [new SoftPasskey(), new SoftPasskey()];
    const { credential_id } = second;
    const { public_key } = other;
    const swapped = Object.assign(new SoftPasskey(), { credential_id, public_key });
    return owner.pin(role, swapped, owner.allowing(owner.pinning(second)));
  }),
  row('passkey_operation_mismatch', 'pinning by a proof that unfreezes', (owner, role) =>
    owner.pin(role, new SoftPasskey(), owner.allowing(owner.unfreezing)),
  ),
  row('passkey_pinned_otherwise', 'another key for the passkey that is known', (owner, role) => {
    const { credential_id } = owner.passkey;
    return owner.pin(role, Object.assign(new SoftPasskey(), { credential_id }));
  }),
  row('passkey_pinned_otherwise', 'the passkey of one merchant for another one', async (owner, role) => {
    const other = await owner.target.another();
    const { credential_id, public_key } = owner.passkey;
    const { merchant_id } = other.roster;
    const asked = { merchant_id: `${merchant_id}-${role}`, credential_id, public_key, proof: null };
    return other.ask(role, 'passkey.pin', asked);
  }),
  alone('passkeys_too_many', 'more passkeys than a merchant may have', tooMany),
  row('passkey_key_invalid', 'a passkey whose key is none', (owner, role) =>
    owner.pin(role, Object.assign(new SoftPasskey(), { public_key: 'oA' })),
  ),
  row('ask_malformed', 'a passkey without an id', (owner, role) =>
    owner.pin(role, Object.assign(new SoftPasskey(), { credential_id: '' })),
  ),
];

const unpinning = [
  row('passkey_last', 'unpinning the last passkey of a merchant', (owner, role) =>
    owner.unpin(role, owner.passkey, owner.allowing(owner.unpinning(owner.passkey))),
  ),
  row('passkey_unknown_credential', 'unpinning the passkey of another merchant', async (owner, role) => {
    const other = await Owner.of(owner.target);
    return owner.unpin(role, other.passkey, owner.allowing(owner.unpinning(other.passkey)));
  }),
  alone('passkey_signature_malformed', 'unpinning without a proof', async (owner, role) => {
    const second = new SoftPasskey();
    await owner.pin(role, second, owner.allowing(owner.pinning(second)));
    return owner.unpin(role, second, null);
  }),
  alone('passkey_operation_mismatch', 'unpinning another passkey than was allowed', async (owner, role) => {
    const second = new SoftPasskey();
    await owner.pin(role, second, owner.allowing(owner.pinning(second)));
    return owner.unpin(role, owner.passkey, owner.allowing(owner.unpinning(second)));
  }),
  alone('passkey_unknown_credential', 'unfreezing by a passkey that was unpinned', async (owner, role) => {
    const second = new SoftPasskey();
    await owner.pin(role, second, owner.allowing(owner.pinning(second)));
    await owner.unpin(role, second, owner.allowing(owner.unpinning(second)));
    return owner.unfreeze(role, second.allowing(owner.unfreezing, Date.now()));
  }),
  row('ask_malformed', 'unpinning nothing', ({ target }, role) => target.ask(role, 'passkey.unpin', {})),
];

export const onPins: readonly Attack[] = ofArea('passkeys', ...[...pinning, ...unpinning]);
