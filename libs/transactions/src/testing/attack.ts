import type { GuardReason } from '../guard';
import type { Changes } from './changes';

/** Whose money an attack is after, and who takes part in it. Addresses. */
export interface Parties {
  readonly sponsor: string;
  readonly customer: string;
  readonly attacker: string;
  readonly mint: string;
  readonly customers_account: string;
  readonly sponsors_account: string;
  readonly attackers_account: string;
}

/** What a dishonest wallet makes of a payment's message, and what the guard has to say to it. */
export interface Attack {
  readonly reason: GuardReason;
  readonly name: string;
  readonly changes: Changes;
  /** The payment: in a token, in one whose account has to be made, or in SOL. */
  readonly of: 'token' | 'new account' | 'sol';
}

/** What the guard has to say, a name, what becomes of the message, and of which payment. */
export type AttackRow = readonly [GuardReason, string, Changes, Attack['of']?];
