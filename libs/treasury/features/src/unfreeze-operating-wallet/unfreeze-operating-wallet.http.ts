import { Body, Controller, Inject, Res } from '@nestjs/common';
import {
  unfreezeOperatingWallet,
  type RequestContext,
  type UnfreezeOperatingWalletAnswer,
  type UnfreezeOperatingWalletBody,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, ApiError, Caller, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { OpenWallet } from '@tender/treasury-domain';
import type { FastifyReply } from 'fastify';
import { operatingWallets } from '../operating-wallet/operating-wallet.aggregate';
import { OperatingWallets } from '../operating-wallet/operating-wallets';
import { NOT_FROZEN, NOT_READY } from '../operating-wallet/refusals';
import { allowedToWallet, proofIn } from '../passkey-challenges/allowed-by-both';

@Controller()
export class UnfreezeOperatingWalletHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(OperatingWallets) private readonly wallets: OperatingWallets,
  ) {}

  /** Both signers verify the passkey by themselves: treasury could not make one up (specification §2.9). */
  @Serves(unfreezeOperatingWallet)
  async unfreeze(
    @Caller() caller: RequestContext,
    @Body() { passkey_signature }: UnfreezeOperatingWalletBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UnfreezeOperatingWalletAnswer> {
    const { merchant_id, mode } = caller;
    const proof = proofIn(passkey_signature);
    const wallet = await this.wallets.find(mode, merchant_id);
    if (wallet === null) throw new ApiError(...NOT_READY);
    // A repeat of a request that has done it is answered as that was: the signers are not asked again.
    if (wallet.frozen !== null) {
      await allowedToWallet(this.runtime, wallet, 'unfreeze', { wallet: wallet.address, proof });
    }
    const at = isoTime(this.runtime.clock.now());
    const { handled } = await operatingWallets.request(this.runtime, caller, () => ({
      id: merchant_id,
      command: { type: 'UnfreezeWallet', passkey_id: proof.credential_id, at } as const,
    }));
    const refusals = { wallet_not_ready: NOT_READY, wallet_not_frozen: NOT_FROZEN };
    const { state } = accepted(handled, refusals, reply);
    return { operating_wallet_address: (state as OpenWallet).address, frozen: false };
  }
}
