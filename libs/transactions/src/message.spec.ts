import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  Transaction as StockTransaction,
  TransactionMessage,
} from '@solana/web3.js';
import { compileMessage } from './compile-message';
import { guard } from './guard';
import { readMessage, type Instruction } from './message';
import { paymentMessage } from './payment-message';
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from './programs';
import {
  attacker,
  creating,
  customer,
  inSol,
  payment,
  sponsor,
  templateOf,
} from './testing/payments';
import { use } from './testing/changes';
import { signedBy, someAddress } from './testing/signing';

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

const plain = ({ program, accounts, data }: Instruction) => ({
  program,
  accounts: accounts.map(({ address, signer, writable }) => [address, signer, writable]),
  data: Buffer.from(data).toString('hex'),
});
