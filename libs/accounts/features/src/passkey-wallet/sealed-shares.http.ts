import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  passkeyOf,
  sealedShareOf,
  type merchantDecider,
  type SealShare,
} from '@tender/accounts-domain';
import {
  addSealedShare,
  readSealedShare,
  type AddSealedShareAnswer,
  type AddSealedShareBody,
  type RequestContext,
  type SealedShareAnswer,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import {
  accepted,
  Caller,
  notFound,
  RUNTIME,
  Serves,
  type RefusalAnswers,
} from '@tender/http';
import type { RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { merchant } from '../merchant-details/merchant.aggregate';
import { refuseSpentSetup } from '../passkey-setup/spent-setup';
import { setupOf } from './setup-of';
import { SHARE_REFUSALS } from './wallet-refusals';

const REFUSALS: RefusalAnswers<RefusalOf<typeof merchantDecider, SealShare>> = SHARE_REFUSALS;

/** Share C of a passkey wallet, as each passkey of its merchant has sealed it: Tender can open none of them. */
@Controller()
export class SealedSharesHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(readSealedShare)
  async read(
    @Caller() caller: RequestContext,
    @Param('passkey_id') passkey_id: string,
  ): Promise<SealedShareAnswer> {
    const known = await merchant.load(this.runtime, 'all', caller.merchant_id);
    if (known === null) throw notFound();
    refuseSpentSetup(known, caller, this.runtime.clock);
    const { passkey_wallet } = known;
    if (!passkey_wallet || !passkeyOf(known, passkey_id)) throw notFound();
    const sealed = sealedShareOf(passkey_wallet, passkey_id);
    if (sealed === null) throw notFound();
    return { passkey_id, sealed_share_c: sealed, wallet_roster: passkey_wallet.roster };
  }

  @Serves(addSealedShare)
  async add(
    @Caller() caller: RequestContext,
    @Body() { passkey_id, sealed_share_c }: AddSealedShareBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AddSealedShareAnswer> {
    const { handled } = await merchant.request(this.runtime, caller, () => ({
      id: caller.merchant_id,
      command: {
        ...{ type: 'SealShare', passkey_id, sealed_share_c } as const,
        ...setupOf(caller, this.runtime),
      },
    }));
    accepted(handled, REFUSALS, reply);
    return { passkey_id };
  }
}
