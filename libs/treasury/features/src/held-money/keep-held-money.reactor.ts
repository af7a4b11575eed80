import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import {
  paymentConfirmed,
  settlementCompleted,
  settlementRequested,
  transferIdOf,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Heard } from '@tender/http';
import type { Mode } from '@tender/kernel';
import { operatingWallets } from '../operating-wallet/operating-wallet.aggregate';
import { freeHeld, keepHeld, keepSettledBy } from './held-money.record';

export const KEEP_HELD_MONEY = 'treasury.keep-held-money';

type Told = Heard<
  typeof paymentConfirmed | typeof settlementRequested | typeof settlementCompleted
>;

/** Keeps what payments have brought into operating wallets until it has left: no refund of another may spend it. */
@Controller()
export class KeepHeldMoneyReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** In their order: of one payment they all are on one stream. */
  @Reacts(KEEP_HELD_MONEY, [paymentConfirmed, settlementRequested, settlementCompleted])
  async react(@Payload() batch: readonly Told[]): Promise<void> {
    for (const event of batch) await this.keep(event);
  }

  private async keep(event: Told): Promise<void> {
    const { readModels } = this.runtime;
    const mode = event.mode as Mode;
    if (event.type === paymentConfirmed.type) return this.confirmed(event, mode);
    if (event.type === settlementRequested.type) {
      const { payment_id, settlement_id, attempt } = event.data;
      return keepSettledBy(readModels, { mode, payment_id }, transferIdOf(settlement_id, attempt));
    }
    return freeHeld(readModels, { mode, payment_id: event.data.payment.id });
  }

  /** Ordinary payments go to the merchant’s own wallet. */
  private async confirmed({ data }: Heard<typeof paymentConfirmed>, mode: Mode): Promise<void> {
    const { id, merchant_id, wallet_address, payment_token, token_amount } = data.payment;
    const { transaction_signature } = data.payment;
    const wallet = await operatingWallets.load(this.runtime, mode, merchant_id);
    if (wallet?.status !== 'open' || wallet.address !== wallet_address) return;
    if (transaction_signature === null) return;
    await keepHeld(this.runtime.readModels, {
      ...{ mode, payment_id: id, wallet: wallet_address, asset: payment_token },
      ...{ amount: token_amount, signature: transaction_signature },
    });
  }
}
