import { Body, Controller, Inject, Res } from '@nestjs/common';
import {
  freezeOperatingWallet,
  type FreezeOperatingWalletAnswer,
  type FreezeOperatingWalletBody,
  type RequestContext,
} from '@tender/contracts';
import { Unavailable, type Runtime } from '@tender/eventing';
import { accepted, ApiError, Caller, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { OpenWallet } from '@tender/treasury-domain';
import type { FastifyReply } from 'fastify';
import { freezeAtSigners } from '../operating-wallet/freeze-at-signers';
import { operatingWallets } from '../operating-wallet/operating-wallet.aggregate';
import { OperatingWallets } from '../operating-wallet/operating-wallets';
import { NOT_READY } from '../operating-wallet/refusals';

@Controller()
export class FreezeOperatingWalletHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(OperatingWallets) private readonly wallets: OperatingWallets,
  ) {}

  /** Stops at once what either signer has not yet signed; only a passkey starts it again (specification §2.9). */
  @Serves(freezeOperatingWallet)
  async freeze(
    @Caller() caller: RequestContext,
    @Body() body: FreezeOperatingWalletBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FreezeOperatingWalletAnswer> {
    const { merchant_id, mode } = caller;
    const reason = body.reason ?? null;
    const wallet = await this.wallets.find(mode, merchant_id);
    if (wallet === null) throw new ApiError(...NOT_READY);
    const signers = await this.askedToFreeze(wallet, reason);
    const at = isoTime(this.runtime.clock.now());
    const { handled } = await operatingWallets.request(this.runtime, caller, () => ({
      id: merchant_id,
      command: { type: 'FreezeWallet', by: 'merchant', reason, signers, at } as const,
    }));
    const { state } = accepted(handled, { wallet_not_ready: NOT_READY }, reply);
    const { address, frozen } = state as OpenWallet;
    return {
      operating_wallet_address: address,
      frozen: true,
      frozen_by_signers: [...(frozen?.signers ?? [])],
    };
  }

  /** Throws 503 where neither has confirmed it: nothing says that the wallet is stopped. */
  private async askedToFreeze(wallet: OpenWallet, reason: string | null) {
    const signers = await freezeAtSigners(this.runtime, wallet, reason ?? 'asked by its merchant');
    if (signers.length === 0) throw new Unavailable('the signers');
    return signers;
  }
}
