import type { AccountUse, Instruction } from '../message';
import { ASSERT_PROGRAM } from '../programs';
import type { AttackRow, Parties } from './attack';
import { use } from './changes';
import { adding, assert, retold, token, told, withAccount } from './wallet-changes';
import { someAddress } from './signing';

/** Another transfer than the one that is due, and asserts that do more than assert. */
export const attacksOnPayments = ({
  sponsor,
  customer,
  attacker,
  customers_account,
  attackers_account,
}: Parties): readonly AttackRow[] => [
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
