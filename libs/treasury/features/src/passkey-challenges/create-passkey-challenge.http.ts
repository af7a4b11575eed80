import { Body, Controller, Inject } from '@nestjs/common';
import {
  createPasskeyChallenge,
  type CreatePasskeyChallengeBody,
  type PasskeyChallenge,
  type PasskeyOperation,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError, Caller, invalidParameter, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import { challengeFor, challengeText, type ProvenOperation } from '@tender/threshold';
import type { OpenWallet } from '@tender/treasury-domain';
import { OperatingWallets } from '../operating-wallet/operating-wallets';
import { NOT_FROZEN, NOT_READY } from '../operating-wallet/refusals';
import { limitOf, unfreezing } from './operations';

/** From the moment that it is asked for; signers take it for a minute more, as clocks differ. */
const CHALLENGE_MS = 120_000;
const NONCE_BYTES = 16;

@Controller()
export class CreatePasskeyChallengeHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(OperatingWallets) private readonly wallets: OperatingWallets,
  ) {}

  /** Nothing is kept: the challenge carries its own end, and signers remember which were used (specification §2.9). */
  @Serves(createPasskeyChallenge)
  async create(
    @Caller() { merchant_id, mode }: RequestContext,
    @Body() { operation }: CreatePasskeyChallengeBody,
  ): Promise<PasskeyChallenge> {
    const wallet = await this.wallets.find(mode, merchant_id);
    if (wallet === null) throw new ApiError(...NOT_READY);
    const meant = meantBy(operation, wallet);
    const { clock, random } = this.runtime;
    const nonce = random.bytes(NONCE_BYTES).toString('hex');
    // Signers go by the clock of the wall.
    const expires_ms = clock.wall() + CHALLENGE_MS;
    const challenge = challengeText(challengeFor(meant, { nonce, expires_ms }));
    return { challenge_id: `pkc_${nonce}`, challenge, expires_at: isoTime(expires_ms) };
  }
}

function meantBy({ type, per_day_usd }: PasskeyOperation, wallet: OpenWallet): ProvenOperation {
  if (type === 'unfreeze_operating_wallet') {
    if (per_day_usd !== undefined) throw fieldFault(`is no field of ${type}`);
    if (wallet.frozen === null) throw new ApiError(...NOT_FROZEN);
    return unfreezing(wallet);
  }
  if (per_day_usd === undefined) throw fieldFault(`is missing: ${type} needs it`);
  return limitOf(wallet, per_day_usd);
}

const fieldFault = (message: string): ApiError =>
  invalidParameter({ field: 'operation.per_day_usd', message });
