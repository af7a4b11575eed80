import type { Passkey } from '@tender/accounts-domain';
import type { Runtime } from '@tender/eventing';

/** Passkeys with the names that people gave them; empty ones of a merchant that was erased. */
export const openNames = <Named extends Pick<Passkey, 'name_sealed' | 'name'>>(
  { keyRing }: Pick<Runtime, 'keyRing'>,
  merchant_id: string,
  passkeys: readonly Named[],
): Promise<(Named & { readonly name: string })[]> =>
  Promise.all(
    passkeys.map(async (passkey) => ({
      ...passkey,
      name: passkey.name ?? (await keyRing.openPersonal(merchant_id, passkey.name_sealed)) ?? '',
    })),
  );
