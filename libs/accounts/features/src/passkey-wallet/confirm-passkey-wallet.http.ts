import { Body, Controller, Inject, Res } from '@nestjs/common';
import {
  ceremonyFault,
  type ConfirmPasskeyWallet,
  type merchantDecider,
} from '@tender/accounts-domain';
import {
  confirmPasskeyWallet,
  type ConfirmPasskeyWalletAnswer,
  type ConfirmPasskeyWalletBody,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import {
  accepted,
  Caller,
  notFound,
  refusalAnswer,
  RUNTIME,
  Serves,
  type RefusalAnswers,
} from '@tender/http';
import { invariant, refuse, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { untilUsable } from '../create-key/until-usable';
import { KEY_DIRECTORY, type KeyDirectory } from '../key-directory/key-directory';
import { merchant } from '../merchant-details/merchant.aggregate';
import { setupOf } from './setup-of';
import { signedWallet } from './signed-wallet';
import { CONFIRM_REFUSALS } from './wallet-refusals';

const REFUSALS: RefusalAnswers<RefusalOf<typeof merchantDecider, ConfirmPasskeyWallet>> =
  CONFIRM_REFUSALS;

@Controller()
export class ConfirmPasskeyWalletHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(KEY_DIRECTORY) private readonly directory: KeyDirectory,
  ) {}

  /** Answered once the gateway’s keys say the wallet: the merchant’s next payment goes there. */
  @Serves(confirmPasskeyWallet)
  async confirm(
    @Caller() caller: RequestContext,
    @Body() body: ConfirmPasskeyWalletBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConfirmPasskeyWalletAnswer> {
    const { merchant_id } = caller;
    const { session, passkey_id, sealed_share_c } = body;
    const known = await merchant.load(this.runtime, 'all', merchant_id);
    if (known === null) throw notFound();
    const { wallet_ceremony, passkey_wallet, wallet_address } = known;
    // The answer of before was lost.
    if (passkey_wallet?.session === session && wallet_address !== null) return { wallet_address };
    const setup = setupOf(caller, this.runtime);
    const fault = ceremonyFault(known, { session, ...setup });
    if (fault !== null || !wallet_ceremony?.agreed) {
      throw refusalAnswer(refuse(fault ?? 'ceremony_unknown'), REFUSALS);
    }
    const roster = signedWallet(wallet_ceremony.plan, wallet_ceremony.agreed, body);
    const { handled } = await merchant.request(this.runtime, caller, () => ({
      id: merchant_id,
      command: {
        ...{ type: 'ConfirmPasskeyWallet', session, passkey_id, sealed_share_c } as const,
        ...{ roster, wallet_address: roster.roster.wallet, ...setup },
      },
    }));
    const { state, position } = accepted(handled, REFUSALS, reply);
    await untilUsable(this.directory, position);
    invariant(state.wallet_address !== null, 'who has confirmed a wallet has one');
    return { wallet_address: state.wallet_address };
  }
}
