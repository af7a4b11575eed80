import { invalidParameter } from '@tender/http';
import { canSign } from '@tender/transactions';

/** Refuses an address that no key belongs to: nobody could sign what is built for it. */
export function mustSign(wallet: string, field: string): void {
  if (canSign(wallet)) return;
  const message = 'must be a wallet that can sign, not an account of a program';
  throw invalidParameter({ field, message });
}
