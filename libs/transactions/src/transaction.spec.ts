import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  Transaction as StockTransaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import fc from 'fast-check';
import { keyBytes, signatureBytes } from './address';
import { compileMessage } from './compile-message';
import { guard } from './guard';
import { readMessage, type Instruction } from './message';
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
import {
  base64,
  readTransaction,
  transactionBytes,
  transactionOfBase64,
  transactionSignature,
} from './transaction';

const key = (address: string) => new PublicKey(address);

describe('a message', () => {
  test.each([payment, creating, inSol])('is what the stock library reads', (transfer) => {
    const stock = StockTransaction.from(signedBy(paymentMessage(transfer), customer, sponsor));
    expect(stock.verifySignatures()).toBe(true);
    expect([stock.feePayer?.toBase58(), stock.recentBlockhash]).toEqual([
      sponsor.address,
      transfer.recent_blockhash,
    ]);
    const last = stock.instructions.at(-1);
    expect(last?.keys.at(-1)).toEqual({
      pubkey: key(transfer.reference),
      isSigner: false,
      isWritable: false,
    });
    const decoded = readMessage(paymentMessage(transfer));
    expect(decoded.instructions.map(plain)).toEqual(
      stock.instructions.map(({ programId, keys, data }) => ({
        program: programId.toBase58(),
        accounts: keys.map(({ pubkey, isSigner, isWritable }) => [
          pubkey.toBase58(),
          isSigner,
          isWritable,
        ]),
        data: data.toString('hex'),
      })),
    );
  });

  test('that the stock library builds is read', () => {
    const [from, to] = [key(customer.address), key(attacker.address)];
    const plan = new TransactionMessage({
      payerKey: key(sponsor.address),
      recentBlockhash: payment.recent_blockhash,
      instructions: [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 7 }),
        SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports: 1 }),
      ],
    });
    for (const built of [plan.compileToLegacyMessage(), plan.compileToV0Message()]) {
      const message = readMessage(built.serialize());
      expect(message.version).toBe(built.version);
      expect(message.signers).toEqual([sponsor.address, customer.address]);
      expect(message.instructions.map(({ program }) => program)).toEqual([
        COMPUTE_BUDGET_PROGRAM,
        SYSTEM_PROGRAM,
      ]);
    }
  });

  test('that takes accounts from a table says so, and the guard refuses it', () => {
    const state = {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
    };
    const table = new AddressLookupTableAccount({
      key: key(someAddress(60)),
      state: { ...state, addresses: [key(attacker.address)] },
    });
    const transfer = SystemProgram.transfer({
      fromPubkey: key(customer.address),
      toPubkey: key(attacker.address),
      lamports: 1,
    });
    const built = new TransactionMessage({
      payerKey: key(sponsor.address),
      recentBlockhash: payment.recent_blockhash,
      instructions: [transfer],
    }).compileToV0Message([table]);
    const bytes = built.serialize();
    expect(readMessage(bytes)).toMatchObject({
      lookup_tables: [someAddress(60)],
      instructions: [
        { accounts: [{ address: customer.address }, { address: null, writable: true }] },
      ],
    });
    expect(guard(signedBy(bytes, customer), templateOf(payment))).toMatchObject({
      refusal: 'lookup_tables_not_allowed',
    });
  });
});

describe('untrusted bytes', () => {
  const wire = signedBy(paymentMessage(payment), customer);

  test('are a transaction only with every length as it says', () => {
    expect(readTransaction(wire)?.message.fee_payer).toBe(sponsor.address);
    for (let length = 0; length < wire.length; length += 1) {
      expect(readTransaction(wire.subarray(0, length))).toBeNull();
    }
    expect(readTransaction(Buffer.concat([wire, Buffer.of(0)]))).toBeNull();
    expect(readTransaction(new Uint8Array(1_233))).toBeNull();
  });

  test.each<[string, (message: Buffer) => void]>([
    ['no signer that pays', (message) => (message[1] = 2)],
    ['no signer', (message) => (message[0] = 0)],
    ['more keys that are read than there are', (message) => (message[2] = 200)],
    ['a key that comes twice', (message) => message.copyWithin(4 + 32, 4, 4 + 32)],
    ['an unknown version', (message) => (message[0] = 0x81)],
  ])('with %s are no transaction', (_, spoil) => {
    const message = Buffer.from(paymentMessage(payment));
    spoil(message);
    const signatures = Buffer.alloc(1 + 2 * 64);
    signatures[0] = 2;
    expect(readTransaction(Buffer.concat([signatures, message]))).toBeNull();
  });

  test('come in base64 of one form', () => {
    expect(transactionOfBase64(base64(wire))?.message.fee_payer).toBe(sponsor.address);
    const text = base64(wire);
    for (const other of [
      '',
      'zzzz',
      '%%%',
      `${text}=`,
      ` ${text}`,
      text.slice(1),
      'A'.repeat(1_000_000),
    ]) {
      expect(transactionOfBase64(other)).toBeNull();
    }
  });

  test('addresses and signatures are of one length', () => {
    expect(keyBytes(customer.address)).toHaveLength(32);
    expect(signatureBytes('1'.repeat(63) + '2')).toHaveLength(64);
    // Zeros: it stands for a signature that is missing.
    expect(signatureBytes('1'.repeat(64))).toBeNull();
    for (const text of ['', '0', 'l'.repeat(44), customer.address.repeat(2), '1'.repeat(10_000)]) {
      expect([keyBytes(text), signatureBytes(text)]).toEqual([null, null]);
    }
  });

  test('generated ones never throw and never pass', () => {
    const template = templateOf(payment);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_400 }), (bytes) => {
        expect(guard(bytes, template).ok).toBe(false);
        expect(transactionOfBase64(base64(bytes)) === null || readTransaction(bytes) !== null).toBe(
          true,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test('with one bit turned never pass', () => {
    const template = templateOf(creating);
    const honest = signedBy(paymentMessage(creating), customer);
    // The sponsor's own place holds nothing yet: what stands there is written over.
    for (let at = 0; at < honest.length * 8; at += 1) {
      const sponsors_place = at >= 8 && at < 8 + 64 * 8;
      const bytes = Buffer.from(honest);
      bytes[at >> 3] = (bytes[at >> 3] as number) ^ (1 << (at & 7));
      expect(guard(bytes, template).ok).toBe(sponsors_place);
    }
  });
});

test('a transaction is known by the signature of its fee payer, once that is there', () => {
  const message = paymentMessage(payment);
  const open = readTransaction(signedBy(message, customer));
  const whole = readTransaction(signedBy(message, customer, sponsor));
  expect(open && transactionSignature(open)).toBeNull();
  expect(whole && transactionSignature(whole)).toMatch(/^\w{86,88}$/);
  expect(transactionBytes(message)).toHaveLength(1 + 128 + message.length);
});

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

const plain = ({ program, accounts, data }: Instruction) => ({
  program,
  accounts: accounts.map(({ address, signer, writable }) => [address, signer, writable]),
  data: Buffer.from(data).toString('hex'),
});

test('a message of many accounts keeps its lengths', () => {
  const accounts = Array.from({ length: 140 }, (_, index) => use(someAddress(100 + index)));
  const message = compileMessage({
    fee_payer: customer.address,
    recent_blockhash: payment.recent_blockhash,
    instructions: [{ program: SYSTEM_PROGRAM, accounts, data: new Uint8Array(300) }],
  });
  expect(readMessage(message).instructions[0]).toMatchObject({
    accounts,
    data: new Uint8Array(300),
  });
});
