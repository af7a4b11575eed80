import type { SealedRecipient } from '@tender/billing-domain';
import { customerSubject, type CustomerOf, type Runtime } from '@tender/eventing';

type Keys = Pick<Runtime, 'keyRing'>;

/** Who is written to. */
export interface Recipient {
  readonly email: string;
  readonly name: string | null;
}

/** Under the key of that customer of that merchant, as what payments knows of it: one erasure is for both. */
export async function sealRecipient(
  { keyRing }: Keys,
  of: Omit<CustomerOf, 'email'>,
  { email, name }: Recipient,
): Promise<SealedRecipient> {
  const { merchant_id, mode } = of;
  const subject_id = customerSubject(keyRing, { merchant_id, mode, email });
  return {
    subject_id,
    email_sealed: await keyRing.sealPersonal(subject_id, email),
    ...(name === null ? {} : { name_sealed: await keyRing.sealPersonal(subject_id, name) }),
  };
}

/** Null where the customer was erased. */
export async function openRecipient(
  { keyRing }: Keys,
  { subject_id, email_sealed, name_sealed }: SealedRecipient,
): Promise<Recipient | null> {
  const email = await keyRing.openPersonal(subject_id, email_sealed);
  if (email === null) return null;
  if (name_sealed === undefined) return { email, name: null };
  return { email, name: await keyRing.openPersonal(subject_id, name_sealed) };
}
