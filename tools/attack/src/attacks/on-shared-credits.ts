import { createSetAuthorityInstruction, AuthorityType } from '@solana/spl-token';
import { PublicKey, SystemProgram, type Keypair } from '@solana/web3.js';
import type { HostedRole, Operation } from '@tender/threshold';
import { atEach, ofArea, type Attack, type Row } from '../attack';
import { paidIn, type Credited } from '../stage/transfers';
import { someWallet, USDC, type Target } from '../stage/target';

const CREDIT = 10n * USDC;
const ASKED_OF_EACH = 10;
const EACH = 2n * USDC;

const settlesTo = ({ roster }: Target): string => roster.settlement_wallet as string;

/** What a customer has paid straight to the merchant’s own wallet. */
const paidToMerchant = (target: Target): Promise<Credited> =>
  paidIn(target.field.chain, settlesTo(target), CREDIT);

const askedOfEach = (target: Target, op: Operation) => atEach((role) => target.propose(role, op));

/** A refund of it in full, asked of each signer. */
const refundOf = (
  expects: string,
  name: string,
  credited: (target: Target) => Promise<Credited>,
  asset: Operation['asset'] = 'USDC',
): Row => [
  ...([expects, name] as const),
  async (target) =>
    askedOfEach(target, target.transfers.operation(await credited(target), CREDIT, asset)),
];

/** A wallet whose own settlement wallet has a key, which the attacker uses. */
const withKey =
  (act: (target: Target, merchant: Keypair) => Promise<Operation>) =>
  async (target: Target) => {
    const merchant = await target.field.chain.wallet();
    const other = await target.another(merchant.publicKey.toBase58());
    return askedOfEach(other, await act(other, merchant));
  };

/** Signed, landed and final; answers its signature. */
async function landed(from: Target, op: Operation): Promise<string> {
  const message = await from.transfers.message(op);
  const signature = await from.transfers.send(op, message, await from.signed(op, message));
  await from.field.chain.finalize();
  return signature;
}

/** What another operating wallet has paid to the wallet that this one settles to. */
const ofOurs = (target: Target, from: Target, credit: string): Operation => ({
  ...{ ...target.refund(), to: from.wallet, amount: String(USDC), credit },
});

async function settlementOfAnother(target: Target): Promise<Operation> {
  const other = await target.another(settlesTo(target));
  return ofOurs(target, other, await landed(other, other.settlement()));
}

/** The merchant’s own wallet was the customer of another merchant. */
async function refundOfAnother(target: Target, merchant: Keypair): Promise<Operation> {
  const { chain } = target.field;
  const other = await target.another();
  const payment = chain.payment(merchant.publicKey, new PublicKey(other.wallet), CREDIT);
  const credit = await chain.send(await chain.signed(merchant, payment));
  await chain.finalize();
  const refund = other.transfers.operation({ customer: merchant, credit }, CREDIT);
  return ofOurs(target, other, await landed(other, refund));
}

/** The merchant sells SOL from its own wallet for USDC. */
async function exchanged(target: Target, merchant: Keypair): Promise<Operation> {
  const { chain } = target.field;
  const customer = await chain.wallet();
  const [fromPubkey, toPubkey] = [merchant.publicKey, customer.publicKey];
  const both = [
    ...chain.payment(customer.publicKey, merchant.publicKey, CREDIT),
    SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 100_000_000 }),
  ];
  const credit = await chain.send(await chain.signed(customer, both, undefined, [merchant]));
  await chain.finalize();
  return target.transfers.operation({ customer, credit }, CREDIT);
}

async function toItself(target: Target, merchant: Keypair): Promise<Operation> {
  const { chain } = target.field;
  const { publicKey } = merchant;
  const instructions = chain.payment(publicKey, publicKey, CREDIT);
  const credit = await chain.send(await chain.signed(merchant, instructions));
  await chain.finalize();
  return target.transfers.operation({ customer: merchant, credit }, CREDIT);
}

/** A customer pays both wallets by one transaction: the operating wallet a part alone. */
async function ofBoth(target: Target): Promise<Credited> {
  const { chain } = target.field;
  const customer = await chain.wallet();
  const payments = [target.wallet, settlesTo(target)].flatMap((to) =>
    chain.payment(customer.publicKey, new PublicKey(to), CREDIT - 1n),
  );
  const credit = await chain.send(await chain.signed(customer, payments));
  await chain.finalize();
  return { customer, credit };
}

/** Money that is handed over with the account that it is in. */
async function handedOver(target: Target): Promise<Credited> {
  const { chain } = target.field;
  const customer = await chain.wallet();
  const account = chain.usdcAccount(customer.publicKey);
  const owner = new PublicKey(settlesTo(target));
  const handing = createSetAuthorityInstruction(
    account, customer.publicKey, AuthorityType.AccountOwner, owner,
  );
  const credit = await chain.send(await chain.signed(customer, [handing]));
  await chain.finalize();
  return { customer, credit };
}

/** Of two wallets at once, each for a part of one credit: how many one signer has reserved. */
async function atOnce(target: Target, role: HostedRole): Promise<string> {
  const credited = await paidToMerchant(target);
  const other = await target.another(settlesTo(target));
  const asked = Array.from({ length: ASKED_OF_EACH }, () => [target, other]).flat();
  const words = await Promise.all(
    asked.map((from) => from.propose(role, from.transfers.operation(credited, EACH))),
  );
  const refused = words.filter((word) => word === 'credit_exceeded').length;
  const reserved = words.filter((word) => word.startsWith('answered')).length;
  return `${reserved} reserved, ${refused} credit_exceeded`;
}

/** What comes straight to the merchant’s own wallet is refunded from the operating wallet. */
export const onSharedCredits: readonly Attack[] = ofArea(
  'evidence',
  [
    'credit_exceeded',
    'a refund of what the merchant’s own wallet got, in parts that are more',
    async (target) => {
      const credited = await paidToMerchant(target);
      const first = target.transfers.operation(credited, CREDIT - 1n);
      await target.signed(first, await target.transfers.message(first));
      return askedOfEach(target, target.transfers.operation(credited, 2n));
    },
  ],
  [
    'credit_exceeded',
    'one payment to a wallet that two merchants share, refunded by each of them',
    async (target) => {
      const credited = await paidToMerchant(target);
      const other = await target.another(settlesTo(target));
      const first = target.transfers.operation(credited, CREDIT);
      await landed(target, first);
      return askedOfEach(other, other.transfers.operation(credited, 1n));
    },
  ],
  [
    '5 reserved, 15 credit_exceeded',
    'one payment to a wallet that two merchants share, refunded by both in parts at once',
    (target) => atEach((role) => atOnce(target, role)),
  ],
  [
    'credit_source_mismatch',
    'a refund of what the merchant’s own wallet got to another than who paid',
    async (target) => {
      const op = target.transfers.operation(await paidToMerchant(target), USDC);
      return askedOfEach(target, { ...op, to: someWallet() });
    },
  ],
  [
    'credit_not_found',
    'a refund in live of what the same wallet got in test',
    async (target) => {
      const credited = await paidToMerchant(target);
      const live = await target.another(settlesTo(target), 'live');
      const op = live.transfers.operation(credited, USDC);
      return askedOfEach(live, { ...op, mode: 'live' });
    },
  ],
  [
    'credit_not_payment',
    'a refund of the settlement of another operating wallet that settles to the same one',
    async (target) => askedOfEach(target, await settlementOfAnother(target)),
  ],
  [
    'credit_not_payment',
    'a refund of a refund that the merchant’s own wallet got of another merchant',
    withKey(refundOfAnother),
  ],
  [
    'credit_not_payment',
    'a refund of what the merchant’s own wallet got in an exchange',
    withKey(exchanged),
  ],
  [
    'credit_source_ambiguous',
    'a refund of what the merchant’s own wallet sent to itself',
    withKey(toItself),
  ],
  refundOf('credit_exceeded', 'a refund of what both wallets got by one transaction', ofBoth),
  refundOf('credit_exceeded', 'a refund of money that was handed over with its account', handedOver),
);
