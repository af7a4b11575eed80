import { Refusal } from '@tender/page/browser';
import type { OpenShare } from './key-tools';
import { PasskeyRefused } from './passkeys';
import type { SettingUp } from './setting-up';
import type { SetupApi } from './setup-api';

/** Share C, as a passkey of this merchant opens it. Throws `PasskeyRefused`, `Unopened`, and what the API refuses. */
export async function openByPasskey({
  store, api, tools, passkeys,
}: SettingUp): Promise<{ readonly passkey_id: string; readonly share: OpenShare }> {
  const ids = store.view.setup?.passkeys.map(({ id }) => id) ?? [];
  const [{ id, prf }, { unseal }] = await Promise.all([passkeys.use(ids), tools()]);
  if (!prf) throw new PasskeyRefused('no_prf');
  try {
    const { sealed_share_c, wallet_roster } = await keptFor(api, id);
    return { passkey_id: id, share: await unseal(sealed_share_c, prf, wallet_roster) };
  } finally {
    prf.fill(0);
  }
}

async function keptFor(
  api: SetupApi,
  passkey_id: string,
): Promise<{ readonly sealed_share_c: string; readonly wallet_roster: object }> {
  try {
    return await api.get(`/passkey-wallet/shares/${encodeURIComponent(passkey_id)}`);
  } catch (fault) {
    throw fault instanceof Refusal && fault.status === 404 ? new PasskeyRefused('not_sealed') : fault;
  }
}
