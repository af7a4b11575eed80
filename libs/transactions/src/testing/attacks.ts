import type { AccountUse, Instruction } from '../message';
import {
  ASSERT_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  computeBudget,
  createTokenAccount,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  transferSol,
  transferToken,
} from '../programs';
import type { GuardReason } from '../guard';
import { use, type Changes } from './changes';
import { someAddress } from './signing';

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

/** The message with more instructions at its end. */
export const adding = (...more: Instruction[]): Changes => ({
  instructions: (built) => [...built, ...more],
});
/** The message with another compute budget. */
export const budgeted = (unit_limit: number, unit_price: bigint): Changes => ({
  instructions: (built) => [...computeBudget({ unit_limit, unit_price }), ...built.slice(2)],
});
/** An assert about these accounts. */
export const assert = (...accounts: Instruction['accounts']): Instruction =>
  told(ASSERT_PROGRAM, [4, 0], ...accounts);

const retold = (change: (transfer: Instruction) => Instruction): Changes => ({
  instructions: (built) => [...built.slice(0, -1), change(built.at(-1) as Instruction)],
});
const told = (
  program: string,
  data: readonly number[],
  ...accounts: Instruction['accounts']
): Instruction => ({
  program,
  data: Uint8Array.from(data),
  accounts,
});
const u32 = (value: number): number[] => [
  value & 255,
  (value >> 8) & 255,
  (value >> 16) & 255,
  value >>> 24,
];
const system = (kind: number, ...accounts: Instruction['accounts']) =>
  told(SYSTEM_PROGRAM, [...u32(kind), 0, 0], ...accounts);
const token = (data: readonly number[], ...accounts: Instruction['accounts']) =>
  told(TOKEN_PROGRAM, data, ...accounts);
const withAccount = (
  one: Instruction,
  at: number,
  account: Instruction['accounts'][number],
): Instruction => ({
  ...one,
  accounts: one.accounts.map((before, index) => (index === at ? account : before)),
});

/** Every attack that was measured against a sponsor who signs what it is given. */
export function attacksOn(parties: Parties): readonly Attack[] {
  const { sponsor, customer, attacker, mint } = parties;
  const { customers_account, sponsors_account, attackers_account } = parties;
  const attackersCreation = createTokenAccount({
    payer: sponsor,
    account: attackers_account,
    owner: attacker,
    mint,
  });
  const fromSponsor = transferToken({
    source: sponsors_account,
    destination: attackers_account,
    owner: sponsor,
    mint,
    decimals: 6,
    amount: 1n,
  });

  const attacks: readonly [GuardReason, string, Changes, Attack['of']?][] = [
    [
      'instruction_set_changed',
      'lamports of the sponsor',
      adding(transferSol(sponsor, attacker, 1n)),
    ],
    [
      'instruction_set_changed',
      'the same in SOL',
      adding(transferSol(sponsor, attacker, 1n)),
      'sol',
    ],
    [
      'unexpected_signers',
      'an account that the sponsor pays for',
      adding(system(0, use(sponsor, 'sw'), use(attacker, 'sw'))),
    ],
    ['instruction_changed', 'an account for the attacker', adding(attackersCreation)],
    [
      'instruction_changed',
      'an account that is made and closed',
      adding(
        attackersCreation,
        token([9], use(attackers_account, 'w'), use(customer, 'w'), use(customer, 's')),
      ),
      'new account',
    ],
    [
      'instruction_changed',
      'the attacker’s account in place of the merchant’s',
      { instructions: (built) => [...built.slice(0, 2), attackersCreation, ...built.slice(3)] },
      'new account',
    ],
    ['priority_fee_exceeded', 'a price over the cap', budgeted(200_000, 10n ** 9n)],
    ['priority_fee_exceeded', 'one lamport over the cap', budgeted(100_000, 500_001n)],
    ['priority_fee_exceeded', 'the highest price', budgeted(1, 2n ** 64n - 1n)],
    ['compute_limit_exceeded', 'a limit over the cap', budgeted(300_001, 0n)],
    ['compute_limit_exceeded', 'the chain’s whole limit', budgeted(1_400_000, 10n ** 9n)],
    [
      'compute_limit_exceeded',
      'a price without a limit',
      { instructions: (built) => built.slice(1) },
    ],
    [
      'duplicate_compute_budget',
      'a second price',
      adding(computeBudget({ unit_limit: 1, unit_price: 1n })[1] as Instruction),
    ],
    [
      'duplicate_compute_budget',
      'a second limit',
      adding(computeBudget({ unit_limit: 1, unit_price: 1n })[0] as Instruction),
    ],
    [
      'compute_budget_not_allowed',
      'a bigger heap',
      adding(told(COMPUTE_BUDGET_PROGRAM, [1, ...u32(65_536)])),
    ],
    [
      'compute_budget_not_allowed',
      'the old form',
      adding(told(COMPUTE_BUDGET_PROGRAM, [0, ...u32(1), ...u32(1)])),
    ],
    [
      'compute_budget_not_allowed',
      'a limit of four bytes',
      adding(told(COMPUTE_BUDGET_PROGRAM, [2, 1, 1, 1])),
    ],
    ['instruction_set_changed', 'tokens of the sponsor', adding(fromSponsor)],
    [
      'instruction_set_changed',
      'a right to tokens of the sponsor',
      adding(
        token(
          [4, 1, 0, 0, 0, 0, 0, 0, 0],
          use(sponsors_account, 'w'),
          use(attacker),
          use(sponsor, 's'),
        ),
      ),
    ],
    [
      'instruction_set_changed',
      'an account of the sponsor',
      adding(token([6, 2, 0], use(sponsors_account, 'w'), use(sponsor, 's'))),
    ],
    [
      'instruction_set_changed',
      'the lamports of an account of the sponsor',
      adding(token([9], use(sponsors_account, 'w'), use(attacker, 'w'), use(sponsor, 's'))),
    ],
    [
      'instruction_set_changed',
      'the sponsor’s wallet given to a program',
      adding(system(1, use(sponsor, 'sw'))),
    ],
    ['instruction_set_changed', 'the same in SOL', adding(system(1, use(sponsor, 'sw'))), 'sol'],
    [
      'instruction_set_changed',
      'a nonce in front',
      {
        instructions: (built) => [
          system(4, use(attackers_account, 'w'), use(customer, 's')),
          ...built,
        ],
      },
    ],
    ['blockhash_mismatch', 'another blockhash', { recent_blockhash: someAddress(80) }],
    [
      'instruction_set_changed',
      'an unknown program',
      adding(told(someAddress(81), [0], use(sponsor, 'sw'))),
    ],
    [
      'instruction_changed',
      'a batch of token instructions',
      retold((one) => ({ ...one, data: Uint8Array.of(255, 5, 10, ...one.data) })),
    ],
    [
      'instruction_changed',
      'lamports unwrapped',
      retold((one) => ({ ...one, data: Uint8Array.of(45, 0) })),
    ],
    [
      'instruction_changed',
      'excess lamports withdrawn',
      adding(token([38], use(customers_account, 'w'), use(attacker, 'w'), use(customer, 's'))),
    ],
    [
      'unexpected_signers',
      'one more signer',
      adding(told('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', [120], use(attacker, 's'))),
    ],
    [
      'instruction_set_changed',
      'a precompile',
      adding(told('Ed25519SigVerify111111111111111111111111111', [0, 0])),
    ],
    [
      'instruction_changed',
      'another amount',
      retold((one) => ({ ...one, data: one.data.map((byte, at) => (at === 1 ? byte ^ 1 : byte)) })),
    ],
    [
      'instruction_changed',
      'another recipient',
      retold((one) => withAccount(one, 2, use(attackers_account, 'w'))),
    ],
    [
      'instruction_changed',
      'another mint',
      retold((one) => withAccount(one, 1, use(someAddress(82)))),
    ],
    [
      'instruction_changed',
      'another reference',
      retold((one) => withAccount(one, 4, use(someAddress(83)))),
    ],
    [
      'instruction_changed',
      'no reference',
      retold((one) => ({ ...one, accounts: one.accounts.slice(0, 4) })),
    ],
    [
      'instruction_changed',
      'the transfer twice',
      { instructions: (built) => [...built, built.at(-1) as Instruction] },
    ],
    [
      'instruction_changed',
      'another amount of SOL',
      retold((one) => ({ ...one, data: one.data.map((byte, at) => (at === 4 ? byte ^ 1 : byte)) })),
      'sol',
    ],
    ['unexpected_signers', 'no transfer', { instructions: (built) => built.slice(0, 2) }],
    [
      'instruction_set_changed',
      'no account for the merchant',
      { instructions: (built) => [...built.slice(0, 2), ...built.slice(3)] },
      'new account',
    ],
    [
      'instruction_changed',
      'another order',
      { instructions: (built) => [...built.slice(0, 2), ...built.slice(2).reverse()] },
      'new account',
    ],
    [
      'instruction_changed',
      'a reference that is written',
      retold((one) => withAccount(one, 4, { ...(one.accounts[4] as AccountUse), writable: true })),
    ],
    [
      'assert_touches_sponsor',
      'memory that the sponsor pays for',
      adding(told(ASSERT_PROGRAM, [0, 0], use(sponsor, 'sw'))),
    ],
    ['assert_touches_sponsor', 'an assert about the sponsor', adding(assert(use(sponsor)))],
    [
      'assert_writes',
      'an assert that writes a foreign account',
      adding(assert(use(someAddress(84), 'w'))),
    ],
    [
      'assert_writes',
      'memory that the customer pays for',
      adding(told(ASSERT_PROGRAM, [0, 0], use(customer, 'sw'))),
    ],
    [
      'assert_writes',
      'memory that is closed',
      adding(told(ASSERT_PROGRAM, [1, 0], use(customer, 'sw'))),
    ],
    [
      'assert_writes',
      'an assert that calls a program',
      adding(told(ASSERT_PROGRAM, [15], use(someAddress(85)))),
    ],
    ['assert_writes', 'an assert of no kind', adding(told(ASSERT_PROGRAM, []))],
    ['too_many_asserts', 'three asserts', adding(assert(), assert(), assert())],
    ['fee_payer_mismatch', 'another fee payer', { fee_payer: customer }],
  ];
  return attacks.map(([reason, name, changes, of = 'token']) => ({ reason, name, changes, of }));
}
