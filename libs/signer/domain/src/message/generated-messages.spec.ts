import { Message } from '@solana/web3.js';
import type { Operation } from '@tender/threshold';
import {
  associatedTokenAccount,
  COMPUTE_BUDGET_PROGRAM,
  priorityLamports,
  SYSTEM_PROGRAM,
  TOKEN_ACCOUNT_PROGRAM,
  TOKEN_PROGRAM,
  type Instruction,
} from '@tender/transactions';
import { changedMessage, use } from '@tender/transactions/testing';
import fc from 'fast-check';
import { honestMessage } from '../testing/honest';
import {
  attacker,
  customer,
  fee_payer,
  inSol,
  recent_blockhash,
  refund,
  rules,
  settlement,
  wallet,
} from '../testing/requests';
import { without } from '../testing/tampering';
import { faultOfMessage } from './message-fault';

const operations: readonly Operation[] = [refund, inSol(refund), { ...settlement, asset: 'USDT' }];
const messageOf = (op: Operation): Uint8Array =>
  honestMessage(op, rules, { fee_payer, recent_blockhash });

/** What a message does, read by the stock library and not by the reader that the guards use. */
function effectsOf(bytes: Uint8Array) {
  const message = Message.from(bytes);
  const keys = message.accountKeys.map((key) => key.toBase58());
  const told = message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    program: keys[programIdIndex],
    accounts: accountKeyIndexes.map((index) => ({
      address: keys[index],
      signer: message.isAccountSigner(index),
      writable: message.isAccountWritable(index),
    })),
    data: Buffer.from(data),
  }));
  const isBudget = ({ program }: { readonly program?: string | undefined }) =>
    program === COMPUTE_BUDGET_PROGRAM;
  return {
    header: message.header,
    instructions: told.filter((one) => !isBudget(one)),
    budget: told.filter(isBudget).map(({ data }) => data),
  };
}

/** The honest message of that operation: the receiver’s account is made with it, or is there. */
function formOf(
  op: Operation,
  told: readonly { readonly program: string | undefined }[],
): Uint8Array {
  const creates = told.some(({ program }) => program === TOKEN_ACCOUNT_PROGRAM);
  return creates || op.asset === 'SOL' ? messageOf(op) : without('creation')(messageOf(op));
}

/** It has the effect of the honest message and no other; only the blockhash and the price may differ. */
function expectSameMeaning(bytes: Uint8Array, op: Operation): void {
  const { budget, ...effects } = effectsOf(bytes);
  const { budget: _, ...honest } = effectsOf(formOf(op, effects.instructions));
  expect(effects).toEqual(honest);
  const [limit, price] = budget as [Buffer, Buffer];
  expect(budget).toHaveLength(2);
  const offer = priorityLamports(limit.readUInt32LE(1), price.readBigUInt64LE(1));
  expect(offer <= rules.priority_lamports_max).toBe(true);
}

const addresses = [wallet, fee_payer, customer, attacker, SYSTEM_PROGRAM, rules.mints.USDC];
const accounts = [refund, settlement].map(({ to }) => associatedTokenAccount(to, rules.mints.USDC));
const instruction = fc.record({
  program: fc.constantFrom(
    SYSTEM_PROGRAM,
    TOKEN_PROGRAM,
    COMPUTE_BUDGET_PROGRAM,
    TOKEN_ACCOUNT_PROGRAM,
    attacker,
  ),
  accounts: fc.array(
    fc.record({
      address: fc.constantFrom(...addresses, ...accounts),
      rights: fc.constantFrom('', 'w', 's', 'sw'),
    }),
    { maxLength: 4 },
  ),
  data: fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.constantFrom(
      [2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
      [12, 1, 0, 0, 0, 0, 0, 0, 0, 6],
      [1],
      [18],
    ),
  ),
});
const step = fc.record({
  kind: fc.constantFrom('add', 'drop', 'swap', 'twice', 'byte', 'account', 'nothing'),
  at: fc.nat(6),
  byte: fc.nat(11),
  instruction,
});
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

/** The instructions after one of these changes. */
function applied(list: readonly Instruction[], { kind, at, byte, instruction: made }: Step) {
  const index = at % list.length;
  const one = list[index] as Instruction;
  const uses = made.accounts.map(({ address, rights }) => use(address, rights));
  const added = { program: made.program, accounts: uses, data: Uint8Array.from(made.data) };
  const instead = (other: Instruction) =>
    list.map((before, place) => (place === index ? other : before));
  switch (kind) {
    case 'add':
      return [...list.slice(0, index), added, ...list.slice(index)];
    case 'drop':
      return list.length > 1 ? list.filter((_, place) => place !== index) : list;
    case 'swap':
      return [...list.slice(index), ...list.slice(0, index)];
    case 'twice':
      return list.flatMap((before, place) => (place === index ? [before, before] : [before]));
    case 'byte':
      return instead({
        ...one,
        data: one.data.map((value, place) => (place === byte ? value ^ 1 : value)),
      });
    case 'account':
      return instead({
        ...one,
        accounts: one.accounts.map((before, place) =>
          place === byte % 4 ? (uses[0] ?? before) : before,
        ),
      });
    default:
      return list;
  }
}

describe('whatever passes means the same', () => {
  test('after any byte was changed', () => {
    const passed = new Set<number>();
    for (const op of operations) {
      const honest = messageOf(op);
      const changes = fc.record({
        at: fc.nat(honest.length - 1),
        byte: fc.integer({ min: 1, max: 255 }),
      });
      const property = fc.property(fc.array(changes, { minLength: 1, maxLength: 2 }), (some) => {
        const bytes = Uint8Array.from(honest);
        for (const { at, byte } of some) bytes[at] = (bytes[at] as number) ^ byte;
        if (faultOfMessage(bytes, op, rules) !== null) return;
        for (const { at } of some) passed.add(at);
        expectSameMeaning(bytes, op);
      });
      fc.assert(property, { numRuns: 600 });
    }
    // The blockhash and what of the price is small: without them nothing was tried.
    expect(passed.size).toBeGreaterThan(20);
  });

  test('after each byte was changed by one bit', () => {
    const op = refund;
    const honest = messageOf(op);
    const passed = [...honest.keys()].filter((at) => {
      const bytes = Uint8Array.from(honest);
      bytes[at] = (bytes[at] as number) ^ 1;
      if (faultOfMessage(bytes, op, rules) !== null) return false;
      expectSameMeaning(bytes, op);
      return true;
    });
    const blockhash_at = 4 + 32 * (honest[3] as number);
    const of_blockhash = passed.filter((at) => at >= blockhash_at && at < blockhash_at + 32);
    expect(of_blockhash).toHaveLength(32);
    // The lower bytes of limit and price.
    expect(passed.length - of_blockhash.length).toBeLessThan(8);
  });

  test('after instructions were added, dropped, moved, doubled, or told something else', () => {
    let passed = 0;
    for (const op of operations) {
      const property = fc.property(fc.array(step, { maxLength: 3 }), (steps) => {
        const instructions = (built: readonly Instruction[]) =>
          steps.reduce<readonly Instruction[]>(applied, built);
        const bytes = changedMessage(messageOf(op), { instructions });
        if (faultOfMessage(bytes, op, rules) !== null) return;
        passed += 1;
        expectSameMeaning(bytes, op);
      });
      fc.assert(property, { numRuns: 500 });
    }
    expect(passed).toBeGreaterThan(50);
  });
});
