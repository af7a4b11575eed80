import type { Operation, SignerCode } from '@tender/threshold';
import { keyBytes } from '@tender/transactions';

/** Two operations that a signer would sign for. */
interface Honest {
  readonly refund: Operation;
  readonly settlement: Operation;
}

/** What no signer takes for an operation: a word of its answer, a name, and the value. */
export function malformedOperations({
  refund,
  settlement,
}: Honest): readonly (readonly [string, string, unknown])[] {
  const { exp: _, ...without_exp } = refund;
  const { wallet } = refund;
  const credit = refund.credit as string;
  return [
    ['fields', 'null', null],
    ['fields', 'nothing', undefined],
    ['fields', 'a text', 'refund'],
    ['fields', 'a list', [refund]],
    ['fields', 'no exp', without_exp],
    ['fields', 'a field that no one knows', { ...refund, memo: 'x' }],
    ['fields', 'the sub-account of a later version', { ...refund, sub_account_id: null }],
    ['v is', 'version 2', { ...refund, v: 2 }],
    ['v is', 'a version as text', { ...refund, v: '1' }],
    ['id is', 'no id', { ...refund, id: '' }],
    ['id is', 'an id with a line in it', { ...refund, id: 'a\nb' }],
    ['id is', 'an id that ends its line', { ...refund, id: 'refund-1\n' }],
    ['id is', 'a long id', { ...refund, id: 'a'.repeat(129) }],
    ['id is', 'a number as id', { ...refund, id: 1 }],
    ['type is', 'a type of no kind', { ...refund, type: 'payout' }],
    ['type is', 'a type in a list', { ...refund, type: ['refund'] }],
    ['mode is', 'a mode of no kind', { ...refund, mode: 'prod' }],
    ['wallet is', 'no wallet', { ...refund, wallet: null }],
    ['wallet is', 'a wallet of 33 bytes', { ...refund, wallet: `1${wallet}` }],
    [
      'wallet is',
      'a wallet in hex',
      { ...refund, wallet: Buffer.from(keyBytes(wallet)!).toString('hex') },
    ],
    ['to is an', 'no receiver', { ...refund, to: '' }],
    [
      'to is an',
      'a receiver with a character that is none',
      { ...refund, to: wallet.replace(/.$/, '0') },
    ],
    ['to is an', 'a receiver with a space behind it', { ...refund, to: `${refund.to} ` }],
    ['to is not', 'the wallet itself', { ...refund, to: wallet }],
    ['asset is', 'an asset of no kind', { ...refund, asset: 'usdc' }],
    ['above 0', 'no money', { ...refund, amount: '0' }],
    ['above 0', 'less than no money', { ...refund, amount: '-1' }],
    ['above 0', 'a sign', { ...refund, amount: '+1' }],
    ['above 0', 'zeros in front', { ...refund, amount: '01' }],
    ['above 0', 'a fraction', { ...refund, amount: '1.5' }],
    ['above 0', 'an exponent', { ...refund, amount: '1e6' }],
    ['above 0', 'hex', { ...refund, amount: '0x10' }],
    ['above 0', 'a space', { ...refund, amount: ' 1' }],
    ['above 0', 'a number', { ...refund, amount: 1 }],
    ['2^64', 'more than the chain counts', { ...refund, amount: '18446744073709551616' }],
    ['refund is', 'a refund of nothing', { ...refund, credit: null }],
    ['refund is', 'a refund of a short signature', { ...refund, credit: credit.slice(0, -2) }],
    ['refund is', 'a refund of an address', { ...refund, credit: wallet }],
    ['settlement is', 'a settlement of a credit', { ...settlement, credit }],
    ['exp is', 'an exp as text', { ...refund, exp: String(refund.exp) }],
    ['exp is', 'an exp between two ms', { ...refund, exp: refund.exp + 0.5 }],
    ['exp is', 'an exp that never is', { ...refund, exp: null }],
  ];
}

/** What a treasury that was taken over may ask for in place of an honest operation, and the code that refuses it. */
export interface OperationAttack {
  readonly code: SignerCode;
  readonly name: string;
  /** Its message is the honest one of itself. */
  readonly op: Operation;
}

/** Money that no rule lets leave, however honest its message is. `now_ms`: by the clock of the signer. */
export function attacksOnOperations(
  { refund, settlement }: Honest,
  { attacker, now_ms }: { readonly attacker: string; readonly now_ms: number },
): readonly OperationAttack[] {
  const other_mode = refund.mode === 'test' ? 'live' : 'test';
  const rows: readonly (readonly [SignerCode, string, Operation])[] = [
    ['op_expired', 'an attempt whose time is over', { ...refund, exp: now_ms }],
    [
      'op_expiry_too_far',
      'an attempt that lasts for minutes',
      { ...refund, exp: now_ms + 240_000 },
    ],
    ['mode_mismatch', 'money of the other mode', { ...refund, mode: other_mode }],
    ['credit_source_mismatch', 'a refund for the attacker', { ...refund, to: attacker }],
    [
      'credit_exceeded',
      'a refund of more than came',
      { ...refund, amount: '18446744073709551615' },
    ],
    [
      'destination_not_whitelisted',
      'a settlement for the attacker',
      { ...settlement, to: attacker },
    ],
    [
      'day_limit_exceeded',
      'a settlement of all there is',
      { ...settlement, amount: '18446744073709551615' },
    ],
  ];
  return rows.map(([code, name, op]) => ({ code, name, op }));
}
