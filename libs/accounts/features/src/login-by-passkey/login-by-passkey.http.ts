import { Body, Controller, Inject, Res } from '@nestjs/common';
import { passkeyOf, type Passkey, type RegisteredMerchant } from '@tender/accounts-domain';
import {
  startLogin,
  verifyLogin,
  type LoginToVerify,
  type RequestContext,
  type SessionAnswer,
  type StartLoginBody,
  type VerifyLoginBody,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError, Caller, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { merchant, merchantIdOf } from '../merchant-details/merchant.aggregate';
import { CHALLENGE_MS, issueChallenge, useChallenge } from '../passkeys/challenge.record';
import { recordUse } from '../passkeys/passkey-use.record';
import { verifyPasskey } from '../passkeys/verify-passkey';
import { webauthn } from '../passkeys/webauthn';
import { SESSIONS, type Sessions } from '../sessions/sessions';
import { ACCOUNT_SETTINGS, type AccountSettings } from '../settings';
import { DECOY } from './decoy';

interface KnownPasskey {
  readonly owner: RegisteredMerchant;
  readonly passkey: Passkey;
}

@Controller()
export class LoginByPasskeyHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SESSIONS) private readonly sessions: Sessions,
    @Inject(ACCOUNT_SETTINGS) private readonly settings: AccountSettings,
  ) {}

  /** Names no passkey, so that it is the same for an e-mail of no merchant: the browser knows its own. */
  @Serves(startLogin)
  async start(@Body() { email }: StartLoginBody): Promise<LoginToVerify> {
    const account = merchantIdOf(this.runtime.keyRing, email);
    const { id, challenge } = await issueChallenge(this.runtime, 'sign-in', account);
    const { generateAuthenticationOptions } = await webauthn();
    const webauthn_options = await generateAuthenticationOptions({
      rpID: this.settings.login_rp.id,
      challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
      timeout: CHALLENGE_MS,
      userVerification: 'required',
    });
    return { session_id: id, challenge, webauthn_options };
  }

  /** One refusal for everything, and the same work before it (S34). */
  @Serves(verifyLogin)
  async verify(
    @Caller() { client_address }: RequestContext,
    @Body() { session_id, credential_response: credential }: VerifyLoginBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    const { runtime } = this;
    const asked = await useChallenge(runtime, session_id, 'sign-in', null);
    if (asked === null) throw refused();
    const known = await this.find(asked.account, credential);
    const answered = { credential, challenge: asked.challenge, rp: this.settings.login_rp };
    const counter = await verifyPasskey(answered, known?.passkey ?? DECOY);
    if (known === null || counter === null) throw refused();
    if (!(await this.counts(known, counter))) throw refused();
    const { merchant_id } = known.owner;
    const user_agent = reply.request.headers['user-agent'] ?? '';
    const opened = { merchant_id, method: 'passkey', passkey_id: known.passkey.id } as const;
    const begun = await this.sessions.begin({ ...opened, client_address, user_agent }, reply);
    // One that was removed meanwhile has ended the sessions that were there, and this one was not.
    if ((await this.find(asked.account, credential)) !== null) return begun;
    await this.sessions.end(merchant_id, begun.session_id);
    this.sessions.forget(reply);
    throw refused();
  }

  /** The passkey that the answer names, of that merchant and no other, and of those that sign in. */
  private async find(account: string, credential: object): Promise<KnownPasskey | null> {
    const { id } = credential as { readonly id?: unknown };
    const owner = await merchant.load(this.runtime, 'all', account);
    if (owner === null || typeof id !== 'string') return null;
    const passkey = passkeyOf(owner, id);
    return passkey?.kind === 'login' ? { owner, passkey } : null;
  }

  private async counts({ owner, passkey }: KnownPasskey, counter: number): Promise<boolean> {
    const { readModels, clock, log } = this.runtime;
    const { merchant_id } = owner;
    const use = { merchant_id, passkey_id: passkey.id, counter, used_ms: clock.now() };
    const has_grown = counter > passkey.counter || (counter === 0 && passkey.counter === 0);
    if (has_grown && (await recordUse(readModels, use))) return true;
    log.warn({ merchant_id, passkey_id: passkey.id }, 'the counter of a passkey did not grow: it may have been copied');
    return false;
  }
}

const refused = (): ApiError =>
  new ApiError(401, 'authentication_failed', 'You could not be signed in. Begin again, or ask for a code by e-mail.');
