import { accountKindOf } from './account-kind';
import type { ToldAccount } from './told-accounts';

const CLASSIC = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const SYSTEM = '11111111111111111111111111111111';

function account(owner: string, bytes: number, changes: Partial<ToldAccount> = {}): ToldAccount {
  const data = [Buffer.alloc(bytes).toString('base64'), 'base64'] as const;
  return { lamports: 1, owner, executable: false, data, ...changes };
}

function extended(kind: number): ToldAccount {
  const data = Buffer.alloc(202);
  data[165] = kind;
  return account(TOKEN_2022, 0, { data: [data.toString('base64'), 'base64'] });
}

test.each([
  ['nothing yet', null, 'wallet'],
  ['a wallet', account(SYSTEM, 0), 'wallet'],
  ['a vault of some program', account('SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf', 165), 'wallet'],
  ['a program', account('BPFLoaderUpgradeab1e11111111111111111111111', 36, { executable: true }), 'program'],
  ['a sysvar', account('Sysvar1111111111111111111111111111111111111', 40), 'program'],
  ['a mint', account(CLASSIC, 82), 'mint'],
  ['a token account', account(CLASSIC, 165), 'token_account'],
  ['a signing group', account(CLASSIC, 355), 'wallet'],
  ['a mint with extensions', extended(1), 'mint'],
  ['a token account with extensions', extended(2), 'token_account'],
])('%s', (_, info, kind) => expect(accountKindOf(info)).toBe(kind));
