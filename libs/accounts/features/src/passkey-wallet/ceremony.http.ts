import { Body, Controller, Inject, Res } from '@nestjs/common';
import { beginPasskeyWallet as mayBegin } from '@tender/accounts-domain';
import {
  beginPasskeyWallet,
  finishPasskeyWallet,
  round2OfPasskeyWallet,
  round3OfPasskeyWallet,
  type BeginPasskeyWalletAnswer,
  type BeginPasskeyWalletBody,
  type FinishPasskeyWalletAnswer,
  type FinishPasskeyWalletBody,
  type PasskeyWalletRound2Answer,
  type PasskeyWalletRound2Body,
  type PasskeyWalletRound3Answer,
  type PasskeyWalletRound3Body,
  type RequestContext,
  type SignedCeremonyMessage,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { merchant } from '../merchant-details/merchant.aggregate';
import { selfPlan } from './self-plan';
import { setupOf } from './setup-of';
import { SignerA } from './signer-a';
import { BEGIN_REFUSALS, refuseBegin, standing } from './standing';
import { CEREMONY_REFUSALS } from './wallet-refusals';

/**
 * The ceremony in which signer A and two parties in the merchant’s browser make a key that none of them ever knows.
 * What it comes to is no wallet yet: the merchant confirms it once it has kept its shares.
 */
@Controller()
export class PasskeyCeremonyHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SignerA) private readonly signer: SignerA,
  ) {}

  /** Recorded once A has answered: while it is silent, none of the merchant’s tries is used up. */
  @Serves(beginPasskeyWallet)
  async begin(
    @Caller() caller: RequestContext,
    @Body() { identity_keys }: BeginPasskeyWalletBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BeginPasskeyWalletAnswer> {
    const { merchant_id } = caller;
    const A = await this.signer.identity(caller);
    const plan = selfPlan(merchant_id, { A, ...identity_keys });
    const session = `passkey-${this.runtime.random.bytes(16).toString('hex')}`;
    const begin = { type: 'BeginPasskeyWallet', session, plan, ...setupOf(caller, this.runtime) } as const;
    const state = await merchant.load(this.runtime, 'all', merchant_id);
    const now_ms = this.runtime.clock.now();
    refuseBegin(mayBegin({ ...begin, round1: {} }, state ?? { status: 'unknown' }), now_ms);
    const round1 = await this.signer.ask(caller, { session, step: 'begin', body: plan });
    const { handled } = await merchant.request(this.runtime, caller, () => ({
      id: merchant_id,
      command: { ...begin, round1 },
    }));
    refuseBegin(handled, now_ms);
    accepted(handled, BEGIN_REFUSALS, reply);
    return { session, plan, round1 };
  }

  @Serves(round2OfPasskeyWallet)
  async round2(
    @Caller() caller: RequestContext,
    @Body() { session, round1 }: PasskeyWalletRound2Body,
  ): Promise<PasskeyWalletRound2Answer> {
    const ceremony = await standing(this.runtime, caller, session);
    const body = { round1: [ceremony.round1, ...round1] };
    const { message } = await this.signer.ask(caller, { session, step: 'round-2', body });
    return message.body as { readonly messages: SignedCeremonyMessage[] };
  }

  @Serves(round3OfPasskeyWallet)
  async round3(
    @Caller() caller: RequestContext,
    @Body() { session, round2 }: PasskeyWalletRound3Body,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PasskeyWalletRound3Answer> {
    await standing(this.runtime, caller, session);
    const round3 = await this.signer.ask(caller, { session, step: 'round-3', body: { round2 } });
    const { handled } = await merchant.request(this.runtime, caller, () => ({
      id: caller.merchant_id,
      command: { type: 'JoinPasskeyWallet', session, round3, ...setupOf(caller, this.runtime) } as const,
    }));
    accepted(handled, CEREMONY_REFUSALS, reply);
    return { round3 };
  }

  /** A has kept its share by now. Asked again it answers what was recorded. */
  @Serves(finishPasskeyWallet)
  async finish(
    @Caller() caller: RequestContext,
    @Body() { session, round3 }: FinishPasskeyWalletBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FinishPasskeyWalletAnswer> {
    const ceremony = await standing(this.runtime, caller, session);
    if (ceremony.agreed !== null) return answerOf(ceremony.agreed);
    const body = { round3: [ceremony.round3, ...round3] };
    const { message } = await this.signer.ask(caller, { session, step: 'finish', body });
    const said = message.body as FinishPasskeyWalletAnswer;
    const { handled } = await merchant.request(this.runtime, caller, () => ({
      id: caller.merchant_id,
      command: {
        ...{ type: 'AgreePasskeyWallet', session, roster: said.roster } as const,
        ...{ signature: said.roster_signature, ...setupOf(caller, this.runtime) },
      },
    }));
    accepted(handled, CEREMONY_REFUSALS, reply);
    return answerOf({ roster: said.roster, signature: said.roster_signature });
  }
}

const answerOf = (agreed: { readonly roster: object; readonly signature: string }) => ({
  roster: agreed.roster,
  roster_signature: agreed.signature,
});
