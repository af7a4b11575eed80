import type { RegisteredMerchant } from '@tender/accounts-domain';
import type { Runtime } from '@tender/eventing';

interface OpenMerchant {
  readonly name: string;
  readonly email: string;
  readonly business_address: string;
  /** Shown to payers: the merchant’s e-mail, unless it has said another. */
  readonly support_email: string;
}

/** What is sealed of a merchant; empty texts for one that was erased. */
export async function openMerchant(
  { keyRing }: Pick<Runtime, 'keyRing'>,
  merchant: RegisteredMerchant,
): Promise<OpenMerchant> {
  const { merchant_id, name_sealed, email_sealed, business_address_sealed } = merchant;
  const open = async (sealed: string): Promise<string> =>
    (await keyRing.openPersonal(merchant_id, sealed)) ?? '';
  return {
    name: await open(name_sealed),
    email: await open(email_sealed),
    business_address: await open(business_address_sealed),
    support_email: await open(merchant.support_email_sealed ?? email_sealed),
  };
}
