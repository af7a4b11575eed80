import { Controller, Inject, Res } from '@nestjs/common';
import {
  passkeysOf,
  type IssuePasskeySetup,
  type merchantDecider,
  type PasskeySetupIssued,
} from '@tender/accounts-domain';
import {
  issueSetup,
  readSetup,
  type IssuedSetup,
  type RequestContext,
  type SetupAnswer,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { invariant, isoTime, timeOf, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { askedBy } from '../create-key/mint-key';
import { merchant } from '../merchant-details/merchant.aggregate';
import { openMerchant } from '../merchant-details/open-merchant';
import { openNames } from '../passkeys/open-names';
import { ACCOUNT_SETTINGS, type AccountSettings } from '../settings';
import { hashOfSetupToken, SETUP_MS, setupTokenOf, setupUrlOf } from './setup-token';
import { refuseSpentSetup, setupHashOf } from './spent-setup';

const REFUSALS: RefusalAnswers<RefusalOf<typeof merchantDecider, IssuePasskeySetup>> = {
  merchant_unknown: [404, 'not_found', 'There is no such resource.'],
  live_merchant_from_test_key: [
    403,
    'forbidden',
    'A test key cannot make a set-up link of a merchant who has a live key. Use that, or sign in.',
  ],
};

@Controller()
export class PasskeySetupHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(ACCOUNT_SETTINGS) private readonly settings: AccountSettings,
  ) {}

  @Serves(issueSetup)
  async issue(
    @Caller() caller: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<IssuedSetup> {
    const { runtime } = this;
    const { keyRing, clock } = runtime;
    const { merchant_id } = caller;
    const asked_by = askedBy(caller);
    const { handled, asked } = await merchant.request(runtime, caller, ({ command_id }) => {
      const issued_ms = clock.now();
      const token = setupTokenOf(keyRing, merchant_id, { command_id, issued_ms });
      const token_hash = hashOfSetupToken(token);
      const setup = { token_hash, expires_at: isoTime(issued_ms + SETUP_MS) };
      return { id: merchant_id, command: { type: 'IssuePasskeySetup', asked_by, setup } as const };
    });
    const { events } = accepted(handled, REFUSALS, reply);
    const [event] = events;
    invariant(event?.type === 'PasskeySetupIssued', 'a set-up link is one event');
    const { expires_at } = event.data as PasskeySetupIssued['data'];
    const { command_id } = asked;
    const issued_ms = timeOf(expires_at) - SETUP_MS;
    const token = setupTokenOf(keyRing, merchant_id, { command_id, issued_ms });
    return { passkey_setup_url: setupUrlOf(this.settings.approval_url, token), expires_at };
  }

  @Serves(readSetup)
  async read(@Caller() caller: RequestContext): Promise<SetupAnswer> {
    const { runtime } = this;
    const known = await merchant.load(runtime, 'all', caller.merchant_id);
    invariant(known, 'a credential belongs to a registered merchant');
    refuseSpentSetup(known, caller, runtime.clock);
    const { merchant_id, wallet_type, wallet_address, passkey_setup } = known;
    const { name, email } = await openMerchant(runtime, known);
    const kept = passkeysOf(known).filter(({ kind }) => kind === 'signing');
    const signing = await openNames(runtime, merchant_id, kept);
    return {
      ...{ merchant_id, merchant_name: name, email, wallet_type, wallet_address },
      expires_at: setupHashOf(caller) === null ? null : (passkey_setup?.expires_at ?? null),
      passkeys: signing.map(({ id, name }) => ({ id, name })),
    };
  }
}
