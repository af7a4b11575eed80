import { idCharacters, type Mode } from '@tender/kernel';
import type { KeyRing } from './ports/key-ring';

export interface CustomerOf {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly email: string;
}

/** The subject under whose key a customer of a merchant is sealed: without it, the customer cannot be read (E11). */
export function customerSubject(
  { idBytes }: Pick<KeyRing, 'idBytes'>,
  { merchant_id, mode, email }: CustomerOf,
): string {
  const scope = `customer|${merchant_id}|${mode}|${email.trim().toLowerCase()}`;
  return `customer-${idCharacters(idBytes(scope))}`;
}
