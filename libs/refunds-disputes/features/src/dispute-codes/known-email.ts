import type { InspectedPayment } from '@tender/contracts';
import type { KeyRing } from '@tender/eventing';
import { accountOf } from './dispute-codes';

/** The payment’s own e-mail where this account is of it; null of any other, and once its customer was erased. */
export async function emailOfAccount(
  keyRing: Pick<KeyRing, 'idBytes' | 'openPersonal'>,
  { payment, customer }: Pick<InspectedPayment, 'customer' | 'payment'>,
  account: string,
): Promise<string | null> {
  if (customer === null) return null;
  const email = await keyRing.openPersonal(customer.subject_id, customer.email_sealed);
  return email !== null && accountOf(keyRing, payment.id, email) === account ? email : null;
}
