import { Body, Controller, Inject, Res } from '@nestjs/common';
import {
  PASSKEYS_MAX,
  passkeysOf,
  type merchantDecider,
  type RegisteredMerchant,
  type RegisterPasskey,
} from '@tender/accounts-domain';
import {
  finishRegistration,
  startRegistration,
  type FinishRegistrationBody,
  type PasskeyAnswer,
  type PasskeyKind,
  type RegistrationToFinish,
  type RequestContext,
  type StartRegistrationBody,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, ApiError, Caller, notFound, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { invariant, isoTime, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { merchant, merchantIdOf } from '../merchant-details/merchant.aggregate';
import { refuseSpentSetup, SETUP_REFUSALS, setupHashOf } from '../passkey-setup/spent-setup';
import { ACCOUNT_SETTINGS, type AccountSettings } from '../settings';
import { CHALLENGE_MS, issueChallenge, useChallenge } from './challenge.record';
import type { RelyingParty } from './relying-party';
import { ALGORITHMS, verifyNewPasskey } from './verify-passkey';
import { webauthn } from './webauthn';

const TOO_MANY = [
  422,
  'too_many_passkeys',
  `A merchant may have ${PASSKEYS_MAX} passkeys. Remove one first.`,
] as const;

const REFUSALS: RefusalAnswers<RefusalOf<typeof merchantDecider, RegisterPasskey>> = {
  ...SETUP_REFUSALS,
  merchant_unknown: [404, 'not_found', 'There is no such resource.'],
  passkey_known: [409, 'passkey_exists', 'This passkey is registered. It can be used as it is.'],
  too_many_passkeys: TOO_MANY,
};

/** With a session a passkey to sign in with; with a set-up link one that signs, on the approval page. */
@Controller()
export class RegisterPasskeyHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(ACCOUNT_SETTINGS) private readonly settings: AccountSettings,
  ) {}

  @Serves(startRegistration)
  async start(
    @Caller() caller: RequestContext,
    @Body() { merchant_id, email, display_name }: StartRegistrationBody,
  ): Promise<RegistrationToFinish> {
    const { runtime } = this;
    const is_own =
      merchant_id.toLowerCase() === caller.merchant_id &&
      merchantIdOf(runtime.keyRing, email) === caller.merchant_id;
    if (!is_own) throw notFound();
    const known = await merchant.load(runtime, 'all', caller.merchant_id);
    invariant(known, 'a credential belongs to a registered merchant');
    refuseSpentSetup(known, caller, runtime.clock);
    if (passkeysOf(known).length >= PASSKEYS_MAX) throw new ApiError(...TOO_MANY);
    const kind = kindFor(caller);
    const { id, challenge } = await issueChallenge(runtime, `register-${kind}`, known.merchant_id);
    const person = { userName: email, userDisplayName: display_name };
    return { challenge_id: id, options: await this.options(known, kind, challenge, person) };
  }

  @Serves(finishRegistration)
  async finish(
    @Caller() caller: RequestContext,
    @Body() { challenge_id, credential, name }: FinishRegistrationBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PasskeyAnswer> {
    const { runtime } = this;
    const { merchant_id } = caller;
    const kind = kindFor(caller);
    const asked = await useChallenge(runtime, challenge_id, `register-${kind}`, merchant_id);
    if (asked === null) throw refused();
    const { challenge } = asked;
    const made = await verifyNewPasskey({ credential, challenge, rp: this.rpOf(kind) });
    if (made === null) throw refused();
    const { id, ...rest } = made;
    const registered_at = isoTime(runtime.clock.now());
    const shown = name?.trim() ?? `Passkey of ${registered_at.slice(0, 10)}`;
    const name_sealed = await runtime.keyRing.sealPersonal(merchant_id, shown);
    const passkey = { passkey_id: id, kind, ...rest, name_sealed, registered_at };
    const setup_token_hash = setupHashOf(caller);
    const { handled } = await merchant.request(runtime, caller, () => ({
      id: merchant_id,
      command: { type: 'RegisterPasskey', passkey, setup_token_hash } as const,
      subject_ids: [merchant_id],
    }));
    accepted(handled, REFUSALS, reply);
    return { id, kind, name: shown, created_at: registered_at };
  }

  private rpOf(kind: PasskeyKind): RelyingParty {
    return kind === 'login' ? this.settings.login_rp : this.settings.approval_rp;
  }

  private async options(
    known: RegisteredMerchant,
    kind: PasskeyKind,
    challenge: string,
    person: { readonly userName: string; readonly userDisplayName: string },
  ): Promise<object> {
    const { generateRegistrationOptions } = await webauthn();
    return generateRegistrationOptions({
      ...person,
      rpName: 'Tender',
      rpID: this.rpOf(kind).id,
      // An authenticator keeps one passkey per domain and user: on one’s own machine both kinds have one domain.
      userID: Uint8Array.from(Buffer.from(userHandleOf(kind, known.merchant_id))),
      challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: passkeysOf(known)
        .filter((passkey) => passkey.kind === kind)
        .map(({ id, transports }) => ({ id, transports: [...transports] as never })),
      // What the page derives from it wraps the merchant’s share of its wallet, and never leaves the page.
      ...(kind === 'signing' ? { extensions: { prf: {} } as object } : {}),
    });
  }
}

/** By what an authenticator knows a merchant. */
export const userHandleOf = (kind: PasskeyKind, merchant_id: string): string =>
  `${kind}|${merchant_id}`;

const kindFor = (caller: RequestContext): PasskeyKind =>
  setupHashOf(caller) === null ? 'login' : 'signing';

const refused = (): ApiError =>
  new ApiError(
    401,
    'passkey_refused',
    'The passkey could not be registered: what the browser sent does not answer the challenge. Begin again.',
  );
