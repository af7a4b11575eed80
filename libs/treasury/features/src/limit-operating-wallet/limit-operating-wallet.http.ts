import { Body, Controller, Inject, Res } from '@nestjs/common';
import {
  limitOperatingWallet,
  type LimitOperatingWalletAnswer,
  type LimitOperatingWalletBody,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, ApiError, Caller, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { operatingWallets } from '../operating-wallet/operating-wallet.aggregate';
import { OperatingWallets } from '../operating-wallet/operating-wallets';
import { NOT_READY } from '../operating-wallet/refusals';
import { allowedToWallet, proofIn } from '../passkey-challenges/allowed-by-both';
import { limitOf } from '../passkey-challenges/operations';

@Controller()
export class LimitOperatingWalletHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(OperatingWallets) private readonly wallets: OperatingWallets,
  ) {}

  /** More or less than before: less, too, could be asked for to keep a merchant from paying (specification §2.9). */
  @Serves(limitOperatingWallet)
  async limit(
    @Caller() caller: RequestContext,
    @Body() { per_day_usd, passkey_signature }: LimitOperatingWalletBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LimitOperatingWalletAnswer> {
    const { merchant_id, mode } = caller;
    const proof = proofIn(passkey_signature);
    const wallet = await this.wallets.find(mode, merchant_id);
    if (wallet === null) throw new ApiError(...NOT_READY);
    const { address } = wallet;
    const { per_day_cents: day_limit_cents } = limitOf(wallet, per_day_usd);
    await allowedToWallet(this.runtime, wallet, 'limit', { wallet: address, day_limit_cents, proof });
    const at = isoTime(this.runtime.clock.now());
    const passkey_id = proof.credential_id;
    const { handled } = await operatingWallets.request(this.runtime, caller, () => ({
      id: merchant_id,
      command: { type: 'LimitWallet', day_limit_cents, passkey_id, at } as const,
    }));
    accepted(handled, { wallet_not_ready: NOT_READY }, reply);
    return { operating_wallet_address: address, per_day_usd };
  }
}
