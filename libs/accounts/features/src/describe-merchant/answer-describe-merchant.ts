import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { describeMerchant, type MerchantProfile } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { merchant } from '../merchant-details/merchant.aggregate';
import { openMerchant } from '../merchant-details/open-merchant';

/** Answers other contexts that ask whom a payer pays. */
@Injectable()
export class AnswerDescribeMerchant implements OnModuleInit {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  onModuleInit(): void {
    this.runtime.calls.answer(describeMerchant, ({ merchant_id }) => this.describe(merchant_id));
  }

  /** From the stream: what the merchant has just changed is what its payers see. */
  private async describe(merchant_id: string): Promise<MerchantProfile | null> {
    const known = await merchant.load(this.runtime, 'all', merchant_id);
    if (!known) return null;
    const { name, business_address, support_email } = await openMerchant(this.runtime, known);
    const { wallet_address: wallet, amount_max } = known;
    return { merchant_id, name, business_address, support_email, wallet, amount_max };
  }
}
