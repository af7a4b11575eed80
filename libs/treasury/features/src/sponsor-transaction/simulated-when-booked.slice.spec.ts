import type { SponsoredTransfer } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import { base58, base64, messageHash, transactionOfBase64, type Transaction } from '@tender/transactions';
import { freshTestWallet, signedBy } from '@tender/transactions/testing';
import type { ContextStage } from '@tender/runtime/testing';
import { sponsorship } from '../sponsor/sponsorship.aggregate';
import {
  ended,
  feeOf,
  GaslessShop,
  offered,
  signatureOf,
  submit,
} from '../testing/gasless-shop';
import { customerSignature } from './sponsored-bytes';

const shop = new GaslessShop();
let merchant: string;

beforeAll(async () => {
  await shop.start();
  merchant = await shop.merchant();
});
afterAll(() => shop.close());

const opened = (changes: Parameters<GaslessShop['chains']>[0]) =>
  shop.open({ ports: { chains: shop.chains(changes) } });

const FAILS = { refusal: 'invalid_transaction', details: { reason: 'simulation_failed' } };

/** A wallet that has the money for one of its payments alone. */
async function shortOfMoney() {
  const customer = freshTestWallet();
  await shop.give(customer.address, 'USDC', 15_000_000n);
  const handed = async (stage: ContextStage) => {
    const payment = shop.payment(customer, merchant);
    const { bytes } = await offered(stage, payment);
    return { payment, bytes, signed: signedBy(bytes, customer) };
  };
  return { customer, handed };
}

const bookingsOf = ({ runtime: { readModels } }: ContextStage, { payment_id }: SponsoredTransfer) =>
  readModels.query('select 1 from treasury.spending where payment_id = $1', [payment_id]);

test('while one is simulated no other one is signed out of its account', async () => {
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let simulations = 0;
  const stage = await opened({
    async simulate(...asked) {
      simulations += 1;
      const is_first = simulations === 1;
      const answer = await shop.chain.simulate(...asked);
      if (is_first) await held;
      return answer;
    },
  });
  const { handed } = await shortOfMoney();
  const [one, other] = [await handed(stage), await handed(stage)];
  const before = await shop.lamports();
  const first = submit(stage, one.payment, one.signed);
  while (simulations === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await submit(stage, other.payment, other.signed)).toEqual({
    ok: false,
    refusal: 'submission_in_flight',
  });
  goOn();
  signatureOf(await first);
  expect(await ended(stage, one.payment.payment_id)).toBe('landed');
  expect(await submit(stage, other.payment, other.signed)).toMatchObject(FAILS);
  expect(before - (await shop.lamports())).toBe(feeOf(one.bytes));
  expect(await bookingsOf(stage, other.payment)).toEqual([]);
});

test('one that was under way and lands meanwhile is in the simulation', async () => {
  let waiting: Uint8Array | null = null;
  let lands = false;
  let signature = '';
  const stage = await opened({
    async send(bytes) {
      waiting = bytes;
    },
    // Asked when the sponsor’s balance is looked at: right before the booking.
    async accounts(addresses) {
      if (lands && waiting !== null) {
        await shop.chain.send(waiting);
        for (;;) {
          const { statuses } = await shop.chain.signatureStatuses([signature]);
          if (statuses[0] && statuses[0].commitment !== 'processed') break;
        }
      }
      return shop.chain.accounts(addresses);
    },
  });
  const { handed } = await shortOfMoney();
  const [one, other] = [await handed(stage), await handed(stage)];
  const before = await shop.lamports();
  signature = signatureOf(await submit(stage, one.payment, one.signed));
  lands = true;
  expect(await submit(stage, other.payment, other.signed)).toMatchObject(FAILS);
  expect(await ended(stage, one.payment.payment_id)).toBe('landed');
  expect(before - (await shop.lamports())).toBe(feeOf(one.bytes));
});

test('where no simulation can be had nothing stays booked', async () => {
  let is_down = true;
  const stage = await opened({
    async simulate(...asked) {
      if (is_down) throw new Unavailable('the chain');
      return shop.chain.simulate(...asked);
    },
  });
  const { handed } = await shortOfMoney();
  const [one, other] = [await handed(stage), await handed(stage)];
  await expect(submit(stage, one.payment, one.signed)).rejects.toThrow(Unavailable);
  expect(await bookingsOf(stage, one.payment)).toEqual([]);
  is_down = false;
  signatureOf(await submit(stage, other.payment, other.signed));
  expect(await ended(stage, other.payment.payment_id)).toBe('landed');
});

test.each(['simulated', 'given up'])(
  'what another process signs while it is %s here stays booked',
  async (moment) => {
    let signElsewhere = async (): Promise<void> => undefined;
    const stage = await opened({
      async simulate() {
        if (moment === 'simulated') await signElsewhere();
        return { error: 'AlreadyProcessed', compute_units: 0, lamports: [] };
      },
    });
    const { readModels } = stage.runtime;
    const query = readModels.query.bind(readModels);
    jest.spyOn(readModels, 'query').mockImplementation(async (sql, values) => {
      if (moment === 'given up' && sql.includes('delete')) await signElsewhere();
      return query(sql, values);
    });
    const { customer, handed } = await shortOfMoney();
    const { payment, bytes, signed } = await handed(stage);
    const { payment_id, merchant_id } = payment;
    const transaction_signature = base58(await shop.sponsor.sign(bytes));
    signElsewhere = async () => {
      const message_hash = messageHash(bytes);
      const transaction = transactionOfBase64(base64(signed)) as Transaction;
      const customer_signature = customerSignature(transaction, customer.address);
      const message = base64(bytes);
      const known = { message, message_hash, customer_signature, transaction_signature };
      const command = { type: 'SignSponsored', message_hash, signed: known } as const;
      await sponsorship.handle(stage.runtime, 'test', payment_id, command, {
        ...{ command_id: 'elsewhere', body_hash: null, merchant_id, actor: 'system:payments' },
        ...{ correlation_id: 'elsewhere', causation_id: null },
      });
    };
    expect(signatureOf(await submit(stage, payment, signed))).toBe(transaction_signature);
    expect(await bookingsOf(stage, payment)).toHaveLength(1);
  },
);
