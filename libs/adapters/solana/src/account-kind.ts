import type { AccountKind } from '@tender/eventing';
import { accountKindOf as kindOf } from '@tender/transactions';
import type { ToldAccount } from './told-accounts';

/** What an account is for a merchant who wants to be paid there; null: there is none yet. */
export const accountKindOf = (account: ToldAccount | null): AccountKind =>
  kindOf(account && { ...account, data: Buffer.from(account.data[0], 'base64') });
