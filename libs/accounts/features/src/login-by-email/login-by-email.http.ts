import { Body, Controller, Inject, Req, Res } from '@nestjs/common';
import {
  startEmailLogin,
  verifyEmailLogin,
  type RequestContext,
  type SessionAnswer,
  type StartEmailLoginAnswer,
  type StartEmailLoginBody,
  type VerifyEmailLoginBody,
} from '@tender/contracts';
import type { OfLeader, OneTimeCodes, Runtime } from '@tender/eventing';
import { addressHash, ApiError, Caller, RUNTIME, Serves, tooManyTries } from '@tender/http';
import { queueMails, type MailSender } from '@tender/mail';
import { isoTime } from '@tender/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MAIL_SENDER } from '../accounts';
import { merchant, merchantIdOf } from '../merchant-details/merchant.aggregate';
import { SESSIONS, type Sessions } from '../sessions/sessions';
import { ACCOUNT_SETTINGS, type AccountSettings } from '../settings';
import { loginCodes, MAILS } from './login-codes';

/** Of a wrong code, a used one, one that is over, and of an e-mail of no merchant. */
const refused = (): ApiError =>
  new ApiError(401, 'authentication_failed', 'The code is not right, or over. Ask for a new one.');

@Controller()
export class LoginByEmailHttp {
  private readonly codes: OneTimeCodes;

  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SESSIONS) private readonly sessions: Sessions,
    @Inject(MAIL_SENDER) private readonly sender: OfLeader<MailSender>,
    @Inject(ACCOUNT_SETTINGS) { code_requests }: AccountSettings,
  ) {
    this.codes = loginCodes(runtime, code_requests);
  }

  /** Whether a merchant has that e-mail is not looked at: the answer cannot tell, nor the time that it takes (S34). */
  @Serves(startEmailLogin)
  async start(
    @Caller() { correlation_id, client_address }: RequestContext,
    @Body() { email, locale }: StartEmailLoginBody,
  ): Promise<StartEmailLoginAnswer> {
    const { keyRing, clock } = this.runtime;
    const account = merchantIdOf(keyRing, email);
    const client = addressHash(keyRing, 'login-code', client_address);
    const request = { account, client, language: locale ?? 'en' } as const;
    const asked = await this.codes.ask(request, (tx, mail_ids) => {
      const stream = merchant.stream('all', account);
      const to = { stream, mode: 'all', merchant_id: account, correlation_id } as const;
      return queueMails(tx, MAILS, mail_ids.map((event_id) => ({ event_id, ...to })), clock.now());
    });
    if (asked.outcome === 'too_many') {
      throw tooManyTries('Too many codes were asked for.', asked);
    }
    this.sender.current()?.wake();
    return { email, expires_at: isoTime(asked.ends_ms) };
  }

  @Serves(verifyEmailLogin)
  async verify(
    @Caller() { client_address }: RequestContext,
    @Body() { email, code }: VerifyEmailLoginBody,
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    const merchant_id = merchantIdOf(this.runtime.keyRing, email);
    const tried = await this.codes.use(merchant_id, code);
    if (tried.outcome === 'too_many') throw tooManyTries('Too many wrong codes were sent.', tried);
    if (tried.outcome === 'wrong') throw refused();
    // Of an e-mail that no merchant has a code was guessed that no mail has told.
    if ((await merchant.load(this.runtime, 'all', merchant_id)) === null) throw refused();
    const who = { merchant_id, method: 'login_code', passkey_id: null } as const;
    const client = { client_address, user_agent: headers['user-agent'] ?? '' };
    return this.sessions.begin({ ...who, ...client }, reply);
  }
}
