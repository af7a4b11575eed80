import { Body, Controller, Inject, Res } from '@nestjs/common';
import type { merchantDecider, UpdateMerchant } from '@tender/accounts-domain';
import {
  updateMerchant,
  type MerchantAnswer,
  type RequestContext,
  type UpdateMerchantBody,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { untilUsable } from '../create-key/until-usable';
import { KEY_DIRECTORY, type KeyDirectory } from '../key-directory/key-directory';
import { answerOfMerchant } from '../merchant-details/answer-of-merchant';
import { merchant } from '../merchant-details/merchant.aggregate';

const REFUSALS: RefusalAnswers<RefusalOf<typeof merchantDecider, UpdateMerchant>> = {
  merchant_unknown: [404, 'not_found', 'There is no such resource.'],
};

@Controller()
export class UpdateMerchantHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(KEY_DIRECTORY) private readonly directory: KeyDirectory,
  ) {}

  /** Answered once the gateway’s keys say the new name: the merchant’s next payment shows it. */
  @Serves(updateMerchant)
  async update(
    @Caller() caller: RequestContext,
    @Body() body: UpdateMerchantBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MerchantAnswer> {
    const { merchant_id } = caller;
    const changes = await this.sealed(merchant_id, body);
    const { handled } = await merchant.request(this.runtime, caller, () => ({
      id: merchant_id,
      command: { type: 'UpdateMerchant', changes } as const,
      subject_ids: [merchant_id],
    }));
    const { state, position } = accepted(handled, REFUSALS, reply);
    await untilUsable(this.directory, position);
    return answerOfMerchant(this.runtime, state);
  }

  private async sealed(
    merchant_id: string,
    { name, business_address, support_email }: UpdateMerchantBody,
  ): Promise<UpdateMerchant['changes']> {
    const seal = (text: string) => this.runtime.keyRing.sealPersonal(merchant_id, text.trim());
    const address = business_address;
    return {
      ...(name == null ? {} : { name_sealed: await seal(name) }),
      ...(address == null ? {} : { business_address_sealed: await seal(address) }),
      ...(support_email == null ? {} : { support_email_sealed: await seal(support_email) }),
      updated_at: isoTime(this.runtime.clock.now()),
    };
  }
}
