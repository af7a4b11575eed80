import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { paymentConfirmed } from '@tender/contracts';
import { Reacts, type Delivery, type Heard } from '@tender/http';
import { MODES } from '@tender/kernel';
import { rememberPayingWallets } from './paying-wallet.record';

@Controller()
export class RememberPayingWallets {
  /** A wallet’s first payment is behind it once one is confirmed. */
  @Reacts('fraud.remember-paying-wallets', [paymentConfirmed])
  async react(
    @Payload() batch: readonly Heard<typeof paymentConfirmed>[],
    @Ctx() { tx }: Delivery,
  ): Promise<void> {
    for (const mode of MODES) {
      const wallets = batch.flatMap(({ mode: heard, data }) =>
        heard === mode && data.payment.customer_wallet ? [data.payment.customer_wallet] : [],
      );
      if (wallets.length > 0) await rememberPayingWallets(tx, mode, wallets);
    }
  }
}
