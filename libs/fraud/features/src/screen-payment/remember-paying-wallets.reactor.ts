import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { paymentConfirmed, type PaymentSnapshot } from '@tender/contracts';
import { Reacts, type Delivery, type Heard } from '@tender/http';
import { decimalOf, invariant, MODES, timeOf, toUnits } from '@tender/kernel';
import { rememberPayingWallets, type WalletPaid } from './paying-wallet.record';

@Controller()
export class RememberPayingWallets {
  /** A wallet’s first payment is behind it once one is confirmed. */
  @Reacts('fraud.remember-paying-wallets', [paymentConfirmed])
  async react(
    @Payload() batch: readonly Heard<typeof paymentConfirmed>[],
    @Ctx() { tx }: Delivery,
  ): Promise<void> {
    for (const mode of MODES) {
      const paid = batch.flatMap(({ mode: heard, data }) =>
        heard === mode ? paidBy(data.payment) : [],
      );
      if (paid.length > 0) await rememberPayingWallets(tx, mode, paid);
    }
  }
}

function paidBy(payment: PaymentSnapshot): readonly WalletPaid[] {
  const { id, merchant_id, customer_wallet, amount_usd, confirmed_at, created_at } = payment;
  if (!customer_wallet) return [];
  const cents = toUnits(decimalOf(amount_usd), 2);
  invariant(cents !== null, 'payments are worth whole cents');
  return [
    {
      ...{ wallet: customer_wallet, payment_id: id, merchant_id },
      amount_usd_cents: cents.toString(),
      paid_at_ms: timeOf(confirmed_at ?? created_at),
    },
  ];
}
