import { Controller, Inject } from '@nestjs/common';
import { readMerchant, type MerchantAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, notFound, RUNTIME, Serves } from '@tender/http';
import { answerOfMerchant } from '../merchant-details/answer-of-merchant';
import { merchant } from '../merchant-details/merchant.aggregate';

@Controller()
export class ReadMerchantHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(readMerchant)
  async read(@Caller() { merchant_id, min_position }: RequestContext): Promise<MerchantAnswer> {
    const known = await merchant.read(this.runtime, 'all', merchant_id, min_position);
    if (!known) throw notFound();
    return answerOfMerchant(this.runtime, known);
  }
}
