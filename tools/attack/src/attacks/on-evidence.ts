import { randomBytes } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import { base58 } from '@tender/transactions';
import { atEach, ofArea, type Attack, type Row } from '../attack';
import { paidIn, type Credited } from '../stage/transfers';
import { someWallet, USDC, type Target } from '../stage/target';

/** A refund of some transaction, asked of each signer. */
const refundOf = (
  expects: string,
  name: string,
  credited: (target: Target) => Promise<Credited>,
): Row => [
  ...([expects, name] as const),
  async (target) => {
    const op = target.refund('USDC', await credited(target));
    return atEach((role) => target.propose(role, op));
  },
];

/** A transaction that the chain took and that did nothing. */
async function failed({ field: { chain }, wallet }: Target): Promise<Credited> {
  const customer = await chain.wallet(1_000_000_000, 1);
  const payment = chain.payment(customer.publicKey, new PublicKey(wallet), 2n * USDC);
  const credit = await chain.send(await chain.signed(customer, payment), true);
  await chain.finalize();
  return { customer, credit };
}

/** Two customers pay by one transaction. */
async function ofTwo({ field: { chain }, wallet }: Target): Promise<Credited> {
  const [customer, other] = [await chain.wallet(), await chain.wallet()];
  const to = new PublicKey(wallet);
  const payments = [customer, other].flatMap(({ publicKey }) =>
    chain.payment(publicKey, to, 5n * USDC),
  );
  const credit = await chain.send(await chain.signed(customer, payments, undefined, [other]));
  await chain.finalize();
  return { customer, credit };
}

const unknown = async ({ credited }: Target): Promise<Credited> => ({
  ...credited,
  credit: base58(randomBytes(64)),
});

const unanswered = (method: string): Row => [
  ...(['evidence_unavailable', `a signer’s own node does not answer ${method}`] as const),
  (target) =>
    atEach(async (role) => {
      const op = target.refund();
      const message = await target.transfers.message(op);
      await target.field.chain.call('localnet_failRpc', { method, count: 1 });
      return target.propose(role, op, message);
    }),
];

export const onEvidence: readonly Attack[] = ofArea(
  'evidence',
  refundOf('credit_not_found', 'a refund of what never came', unknown),
  refundOf('credit_failed', 'a refund of a transaction that failed', failed),
  refundOf('credit_source_ambiguous', 'a refund of what two have paid', ofTwo),
  refundOf('credit_exceeded', 'a refund of what another wallet got', ({ field }) =>
    paidIn(field.chain, someWallet(), 10n * USDC),
  ),
  [
    'credit_exceeded',
    'a refund in two parts that are more than came',
    async (target) => {
      const credited = await paidIn(target.field.chain, target.wallet, 3n * USDC);
      const first = target.refund('USDC', credited);
      await target.signed(first, await target.transfers.message(first));
      const second = target.refund('USDC', credited);
      return atEach((role) => target.propose(role, second));
    },
  ],
  [
    'blockhash_not_valid',
    'a blockhash that the chain does not have',
    async (target) => {
      const op = target.refund();
      const message = target.transfers.messageAt(op, base58(randomBytes(32)));
      return atEach((role) => target.propose(role, op, message));
    },
  ],
  unanswered('isBlockhashValid'),
  unanswered('getTransaction'),
);
