import { Body, Controller, Inject } from '@nestjs/common';
import {
  createPasskeyChallenge,
  type CreatePasskeyChallengeBody,
  type PasskeyChallenge,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import { approvalUrl, challengeFor, challengeText } from '@tender/threshold';
import { OperatingWallets } from '../operating-wallet/operating-wallets';
import { TREASURY_SETTINGS, type TreasurySettings } from '../settings';
import { meantBy } from './meant-by';

/** From the moment that it is asked for; signers take it for a minute more, as clocks differ. */
const CHALLENGE_MS = 120_000;
const NONCE_BYTES = 16;

@Controller()
export class CreatePasskeyChallengeHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(TREASURY_SETTINGS) private readonly settings: TreasurySettings,
    @Inject(OperatingWallets) private readonly wallets: OperatingWallets,
  ) {}

  /** Nothing is kept: the challenge carries its own end, and signers remember which were used (specification §2.9). */
  @Serves(createPasskeyChallenge)
  async create(
    @Caller() caller: RequestContext,
    @Body() { operation: asked }: CreatePasskeyChallengeBody,
  ): Promise<PasskeyChallenge> {
    const operation = await meantBy(this.runtime, this.wallets, caller, asked);
    const { clock, random } = this.runtime;
    const nonce = random.bytes(NONCE_BYTES).toString('hex');
    // Signers go by the clock of the wall.
    const expires_ms = clock.wall() + CHALLENGE_MS;
    const challenge = challengeText(challengeFor(operation, { nonce, expires_ms }));
    return {
      challenge_id: `pkc_${nonce}`,
      challenge,
      expires_at: isoTime(expires_ms),
      approval_url: approvalUrl(this.settings.approval_url, { operation, challenge }),
    };
  }
}
