import { Inject, Injectable } from '@nestjs/common';
import {
  relayCeremony,
  signerAIdentity,
  type RelayedStep,
  type RequestContext,
} from '@tender/contracts';
import { Unavailable, type Runtime } from '@tender/eventing';
import { ApiError, refusalAnswer, RUNTIME } from '@tender/http';
import { refuse } from '@tender/kernel';
import type { Signed } from '@tender/threshold';
import { CEREMONY_REFUSALS } from './wallet-refusals';

/** Signer A, as treasury lets accounts ask it: it alone holds a share of a passkey wallet at Tender. */
@Injectable()
export class SignerA {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** Its identity key, base58. Throws `Unavailable` where treasury does not tell. */
  async identity({ mode, correlation_id }: RequestContext): Promise<string> {
    const known = await this.runtime.calls.ask(signerAIdentity, {}, { mode, correlation_id });
    if (known === null) throw new Unavailable('the signers', { reason: 'none are set up' });
    return known.identity_key;
  }

  /** What it has signed in answer to that step. Throws 409 where it refuses, `Unavailable` where it is silent. */
  async ask(caller: RequestContext, step: RelayedStep): Promise<Signed> {
    const { mode, correlation_id } = caller;
    // Each step is asked for once, whatever request it came with.
    const command_id = `${step.session}:${step.step}`;
    const asking = { mode, correlation_id, command_id };
    const asked = await this.runtime.calls.ask(relayCeremony, step, asking);
    if (asked.ok) return asked.value.answer as Signed;
    if (asked.refusal === 'ceremony_failed') throw ceremonyFailed(String(asked.details?.['code']));
    throw refusalAnswer(refuse(asked.refusal), CEREMONY_REFUSALS);
  }
}

/** 409: nothing of the ceremony is used. `code`: a signer’s (docs/custody.md), or what is wrong with the roster. */
export const ceremonyFailed = (code: string): ApiError =>
  new ApiError(409, 'ceremony_failed', 'A party of the ceremony has refused. Begin another.', { code });
