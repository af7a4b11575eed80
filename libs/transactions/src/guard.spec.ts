import { guard } from './guard';
import type { Instruction } from './message';
import { paymentMessage, type PaymentTransfer } from './payment-message';
import {
  ASSERT_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  computeBudget,
  createTokenAccount,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  transferSol,
  transferToken,
} from './programs';
import { CUSTOMER_PAID_BOUNDS } from './template';
import {
  attacker,
  attackers_account,
  changed,
  creating,
  customer,
  customers_account,
  inSol,
  merchants_account,
  mint,
  payment,
  sponsor,
  sponsors_account,
  templateOf,
  use,
  type Changes,
} from './testing/payments';
import { signedBy, someAddress } from './testing/signing';
import { transactionBytes } from './transaction';

/** What the guard says to the customer's signature on that. */
function verdictOn(changes: Changes, transfer: PaymentTransfer = payment): string {
  const outcome = guard(
    signedBy(changed(transfer, changes), customer, attacker),
    templateOf(transfer),
  );
  return outcome.ok ? 'passes' : outcome.refusal;
}
const adding = (...more: Instruction[]): Changes => ({
  instructions: (built) => [...built, ...more],
});
const budgeted = (unit_limit: number, unit_price: bigint): Changes => ({
  instructions: (built) => [...computeBudget({ unit_limit, unit_price }), ...built.slice(2)],
});
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
const assert = (...accounts: Instruction['accounts']): Instruction =>
  told(ASSERT_PROGRAM, [4, 0], ...accounts);
const u32 = (value: number): number[] => [
  value & 255,
  (value >> 8) & 255,
  (value >> 16) & 255,
  value >>> 24,
];
const sponsors = sponsor.address;

describe('passes', () => {
  test.each([
    ['the exact message', payment],
    ['one that makes the merchant’s account', creating],
    ['one in SOL', inSol],
  ])('%s', (_, transfer) => expect(verdictOn({}, transfer)).toBe('passes'));

  test.each<[string, Changes]>([
    ['one assert about the customer', adding(assert(use(customer.address)))],
    ['two asserts', adding(assert(use(customers_account)), assert(use(merchants_account)))],
    ['asserts in front', { instructions: (built) => [assert(use(customer.address)), ...built] }],
    ['an assert that says the customer is written', adding(assert(use(customer.address, 'sw')))],
    ['an assert about a foreign account that it reads', adding(assert(use(someAddress(70))))],
    ['a price within the cap', budgeted(60_000, 800_000n)],
    ['a limit within the cap', budgeted(300_000, 1_000n)],
    [
      'a compute budget at the end',
      { instructions: (built) => [...built.slice(2), ...built.slice(0, 2)] },
    ],
  ])('what wallets add: %s', (_, changes) => {
    for (const transfer of [payment, creating, inSol]) {
      expect(verdictOn(changes, transfer)).toBe('passes');
    }
  });

  test('a customer who pays the fee may offer any price and be asserted', () => {
    const own: PaymentTransfer = { ...payment, fee_payer: customer.address };
    const message = changed(own, budgeted(1_400_000, 10n ** 9n));
    const template = { ...templateOf(own), bounds: CUSTOMER_PAID_BOUNDS };
    expect(guard(signedBy(message, customer), template).ok).toBe(true);
    const asserted = changed(own, adding(assert(use(customer.address, 'sw'))));
    expect(guard(signedBy(asserted, customer), template).ok).toBe(true);
  });

  test('what it passes is the transaction as it was read', () => {
    const message = paymentMessage(payment);
    const outcome = guard(signedBy(message, customer), templateOf(payment));
    expect(outcome).toMatchObject({
      ok: true,
      value: { message: { signers: [sponsors, customer.address] } },
    });
    expect(outcome.ok && Buffer.from(outcome.value.message_bytes).equals(message)).toBe(true);
  });
});

const system = (kind: number, ...accounts: Instruction['accounts']) =>
  told(SYSTEM_PROGRAM, [...u32(kind), 0, 0], ...accounts);
const token = (data: readonly number[], ...accounts: Instruction['accounts']) =>
  told(TOKEN_PROGRAM, data, ...accounts);
const attackersCreation = createTokenAccount({
  payer: sponsors,
  account: attackers_account,
  owner: attacker.address,
  mint,
});
const fromSponsor = transferToken({
  source: sponsors_account,
  destination: attackers_account,
  owner: sponsors,
  mint,
  decimals: 6,
  amount: 1n,
});

/** The rows of attacks that were measured against a sponsor who signs what it is given. */
const attacks: readonly [string, string, Changes, PaymentTransfer?][] = [
  [
    'instruction_set_changed',
    'lamports of the sponsor',
    adding(transferSol(sponsors, attacker.address, 1n)),
  ],
  [
    'instruction_set_changed',
    'the same in SOL',
    adding(transferSol(sponsors, attacker.address, 1n)),
    inSol,
  ],
  [
    'unexpected_signers',
    'an account that the sponsor pays for',
    adding(system(0, use(sponsors, 'sw'), use(attacker.address, 'sw'))),
  ],
  ['instruction_changed', 'an account for the attacker', adding(attackersCreation)],
  [
    'instruction_changed',
    'an account that is made and closed',
    adding(
      attackersCreation,
      token(
        [9],
        use(attackers_account, 'w'),
        use(customer.address, 'w'),
        use(customer.address, 's'),
      ),
    ),
    creating,
  ],
  [
    'instruction_changed',
    'the attacker’s account in place of the merchant’s',
    { instructions: (built) => [...built.slice(0, 2), attackersCreation, ...built.slice(3)] },
    creating,
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
        use(attacker.address),
        use(sponsors, 's'),
      ),
    ),
  ],
  [
    'instruction_set_changed',
    'an account of the sponsor',
    adding(token([6, 2, 0], use(sponsors_account, 'w'), use(sponsors, 's'))),
  ],
  [
    'instruction_set_changed',
    'the lamports of an account of the sponsor',
    adding(token([9], use(sponsors_account, 'w'), use(attacker.address, 'w'), use(sponsors, 's'))),
  ],
  [
    'instruction_set_changed',
    'the sponsor’s wallet given to a program',
    adding(system(1, use(sponsors, 'sw'))),
  ],
  ['instruction_set_changed', 'the same in SOL', adding(system(1, use(sponsors, 'sw'))), inSol],
  [
    'instruction_set_changed',
    'a nonce in front',
    {
      instructions: (built) => [
        system(4, use(attackers_account, 'w'), use(customer.address, 's')),
        ...built,
      ],
    },
  ],
  ['blockhash_mismatch', 'another blockhash', { recent_blockhash: someAddress(80) }],
  [
    'instruction_set_changed',
    'an unknown program',
    adding(told(someAddress(81), [0], use(sponsors, 'sw'))),
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
    adding(
      token(
        [38],
        use(customers_account, 'w'),
        use(attacker.address, 'w'),
        use(customer.address, 's'),
      ),
    ),
  ],
  [
    'unexpected_signers',
    'one more signer',
    adding(told('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', [120], use(attacker.address, 's'))),
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
    inSol,
  ],
  ['unexpected_signers', 'no transfer', { instructions: (built) => built.slice(0, 2) }],
  [
    'instruction_set_changed',
    'no account for the merchant',
    { instructions: (built) => [...built.slice(0, 2), ...built.slice(3)] },
    creating,
  ],
  [
    'instruction_changed',
    'another order',
    { instructions: (built) => [...built.slice(0, 2), ...built.slice(2).reverse()] },
    creating,
  ],
  [
    'instruction_changed',
    'a reference that is written',
    retold((one) => withAccount(one, 4, use(someAddress(6), 'w'))),
  ],
  [
    'assert_touches_sponsor',
    'memory that the sponsor pays for',
    adding(told(ASSERT_PROGRAM, [0, 0], use(sponsors, 'sw'))),
  ],
  ['assert_touches_sponsor', 'an assert about the sponsor', adding(assert(use(sponsors)))],
  [
    'assert_writes',
    'an assert that writes a foreign account',
    adding(assert(use(someAddress(84), 'w'))),
  ],
  [
    'assert_writes',
    'memory that the customer pays for',
    adding(told(ASSERT_PROGRAM, [0, 0], use(customer.address, 'sw'))),
  ],
  [
    'assert_writes',
    'memory that is closed',
    adding(told(ASSERT_PROGRAM, [1, 0], use(customer.address, 'sw'))),
  ],
  [
    'assert_writes',
    'an assert that calls a program',
    adding(told(ASSERT_PROGRAM, [15], use(someAddress(85)))),
  ],
  ['assert_writes', 'an assert of no kind', adding(told(ASSERT_PROGRAM, []))],
  ['too_many_asserts', 'three asserts', adding(assert(), assert(), assert())],
  ['fee_payer_mismatch', 'another fee payer', { fee_payer: customer.address }],
];

const withAccount = (
  one: Instruction,
  at: number,
  account: Instruction['accounts'][number],
): Instruction => ({
  ...one,
  accounts: one.accounts.map((before, index) => (index === at ? account : before)),
});

describe('refuses', () => {
  test.each(attacks)('%s: %s', (reason, _, changes, transfer = payment) => {
    expect(verdictOn(changes, transfer)).toBe(reason);
  });

  test('bad_customer_signature: none, another’s, of another message, of another key', () => {
    const message = paymentMessage(payment);
    const other = customer.sign(paymentMessage({ ...payment, amount: 1n }));
    const signatures = [
      {},
      { [customer.address]: attacker.sign(message) },
      { [customer.address]: other },
    ];
    for (const some of signatures) {
      const outcome = guard(transactionBytes(message, some), templateOf(payment));
      expect(outcome).toEqual({ ok: false, refusal: 'bad_customer_signature' });
    }
  });

  test('instruction_set_changed: a key that no instruction needs', () => {
    const message = Buffer.from(paymentMessage(payment));
    const [, , , keys] = message as unknown as [number, number, number, number];
    const stray = Buffer.alloc(32, 9);
    // Behind the last key; it counts as one that is read.
    const at = 4 + keys * 32;
    const longer = Buffer.concat([message.subarray(0, at), stray, message.subarray(at)]);
    longer[3] = keys + 1;
    longer[2] = (message[2] as number) + 1;
    const outcome = guard(signedBy(longer, customer), templateOf(payment));
    expect(outcome).toEqual({ ok: false, refusal: 'instruction_set_changed' });
  });
});
