import { VersionedTransaction } from '@solana/web3.js';
import fc from 'fast-check';
import { guard } from './guard';
import type { Instruction } from './message';
import { paymentMessage } from './payment-message';
import { ASSERT_PROGRAM, COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from './programs';
import {
  attacker,
  changed,
  creating,
  customer,
  inSol,
  payment,
  sponsor,
  templateOf,
} from './testing/payments';
import { use } from './testing/changes';
import { signedBy, someAddress } from './testing/signing';

describe('whatever passes', () => {
  const addresses = [
    ...[sponsor.address, customer.address, attacker.address, payment.reference, payment.recipient],
    ...[payment.token?.source, payment.token?.destination, payment.token?.mint, someAddress(90)],
  ] as string[];
  const programs = [
    SYSTEM_PROGRAM,
    TOKEN_PROGRAM,
    ASSERT_PROGRAM,
    COMPUTE_BUDGET_PROGRAM,
    someAddress(91),
  ];
  const instruction = fc.record({
    program: fc.constantFrom(...programs),
    accounts: fc.array(
      fc.record({
        address: fc.constantFrom(...addresses),
        rights: fc.constantFrom('', 'w', 's', 'sw'),
      }),
      { maxLength: 4 },
    ),
    data: fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.constantFrom([2, 0, 1, 0, 0], [3, 9, 0, 0, 0, 0, 0, 0, 0], [4, 0], [8, 1]),
    ),
  });
  const step = fc.record({
    kind: fc.constantFrom('add', 'drop', 'swap', 'twice', 'byte', 'nothing'),
    at: fc.nat(6),
    byte: fc.nat(11),
    instruction,
  });

  test('moves what the template moves, and nothing else', () => {
    let passed = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(payment, creating, inSol),
        fc.array(step, { maxLength: 3 }),
        (transfer, steps) => {
          const message = changed(transfer, {
            instructions: (built) => steps.reduce<readonly Instruction[]>(applied, built),
          });
          const outcome = guard(signedBy(message, customer, attacker), templateOf(transfer));
          if (!outcome.ok) return;
          passed += 1;
          // Read by the stock library, not by the reader that the guard uses.
          const stock = VersionedTransaction.deserialize(signedBy(message, customer));
          expect(effects(stock)).toEqual(
            effects(VersionedTransaction.deserialize(signedBy(paymentMessage(transfer), customer))),
          );
          expect(stock.message.header.numRequiredSignatures).toBe(2);
        },
      ),
      { numRuns: 3_000 },
    );
    expect(passed).toBeGreaterThan(100);
  });

  function applied(list: readonly Instruction[], { kind, at, byte, instruction: made }: Step) {
    const index = at % list.length;
    const one = list[index] as Instruction;
    const added: Instruction = {
      program: made.program,
      accounts: made.accounts.map(({ address, rights }) => use(address, rights)),
      data: Uint8Array.from(made.data),
    };
    if (kind === 'add') return [...list.slice(0, index), added, ...list.slice(index)];
    if (kind === 'drop' && list.length > 1) return list.filter((_, place) => place !== index);
    if (kind === 'swap') return [...list.slice(index), ...list.slice(0, index)];
    if (kind === 'twice') return [...list, one];
    if (kind !== 'byte') return list;
    const data = one.data.map((value, place) => (place === byte ? value ^ 1 : value));
    return list.map((before, place) => (place === index ? { ...before, data } : before));
  }
});

interface Step {
  readonly kind: string;
  readonly at: number;
  readonly byte: number;
  readonly instruction: {
    readonly program: string;
    readonly accounts: readonly { readonly address: string; readonly rights: string }[];
    readonly data: Iterable<number>;
  };
}

/** What has an effect on accounts. */
function effects({ message }: VersionedTransaction) {
  return message.compiledInstructions
    .map(({ programIdIndex, accountKeyIndexes, data }) => ({
      program: message.staticAccountKeys[programIdIndex]?.toBase58(),
      accounts: accountKeyIndexes.map((index) => message.staticAccountKeys[index]?.toBase58()),
      data: Buffer.from(data).toString('hex'),
    }))
    .filter(({ program }) => program !== ASSERT_PROGRAM && program !== COMPUTE_BUDGET_PROGRAM);
}
