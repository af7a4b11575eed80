import { paymentMessage, type PaymentTransfer } from '../payment-message';
import { SPONSORED_BOUNDS, type Template } from '../template';
import { changedMessage, type Changes } from './changes';
import { someAddress, testWallet } from './signing';

export const sponsor = testWallet(1);
export const customer = testWallet(2);
export const attacker = testWallet(3);
export const merchant = someAddress(4);
export const mint = someAddress(5);
export const reference = someAddress(6);
export const blockhash = someAddress(7);
export const customers_account = someAddress(8);
export const merchants_account = someAddress(9);
export const sponsors_account = someAddress(10);
export const attackers_account = someAddress(11);

/** A gasless payment of 10 USDC. */
export const payment: PaymentTransfer = {
  customer: customer.address,
  fee_payer: sponsor.address,
  recipient: merchant,
  token: {
    mint,
    decimals: 6,
    source: customers_account,
    destination: merchants_account,
    create_destination: false,
  },
  amount: 10_000_000n,
  reference,
  recent_blockhash: blockhash,
  compute: { unit_limit: 60_000, unit_price: 1_000n },
};
export const creating: PaymentTransfer = {
  ...payment,
  token: { ...(payment.token as NonNullable<PaymentTransfer['token']>), create_destination: true },
};
export const inSol: PaymentTransfer = { ...payment, token: null };

export const templateOf = (transfer: PaymentTransfer): Template => ({
  message: paymentMessage(transfer),
  customer: transfer.customer,
  bounds: SPONSORED_BOUNDS,
});

/** The payment's message with changes: what a dishonest wallet makes of it. */
export const changed = (transfer: PaymentTransfer, changes: Changes): Uint8Array =>
  changedMessage(paymentMessage(transfer), changes);
