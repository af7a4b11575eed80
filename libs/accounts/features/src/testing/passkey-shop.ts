import { hash } from 'node:crypto';
import type { RequestContext } from '@tender/contracts';
import type { Algorithm } from '@tender/threshold/testing';
import { PLACE } from './accounts-stage';
import { Shops, external } from './shops';
import { SoftwareAuthenticator, type Lies } from './software-authenticator';

export { PLACE };

interface Registering {
  /** Of a set-up link; without one a session registers it. */
  readonly token?: string;
  readonly lies?: Lies;
  readonly algorithm?: Algorithm;
  readonly counts?: boolean;
}

/** A merchant whose person is signed in, and who has set-up links. */
export class PasskeyShop {
  private constructor(
    private readonly shops: Shops,
    readonly id: string,
    readonly email: string,
    /** What the sign-up answered. */
    readonly sign_up: { readonly passkey_setup_url: string | null },
  ) {}

  static async open(shops: Shops, changes: object = external): Promise<PasskeyShop> {
    const { json } = await shops.signUp(changes);
    return new PasskeyShop(shops, json.id as string, json.email as string, json);
  }

  /** The person who is signed in. */
  get session(): Partial<RequestContext> {
    const asker = { kind: 'session', session_id: 'the session of this spec' } as const;
    return { merchant_id: this.id, asker, actor: 'session:of-this-spec' };
  }

  /** The caller that the gateway makes of a set-up token. */
  opened(token: string): Partial<RequestContext> {
    const asker = { kind: 'setup', token_hash: hash('sha256', token) } as const;
    return { merchant_id: this.id, asker, actor: 'setup' };
  }

  as(changes: Partial<RequestContext> = {}): RequestContext {
    return this.shops.stage.caller({ merchant_id: this.id, ...changes });
  }

  /** The token of a new link. */
  async link(): Promise<string> {
    const path = '/api/v1/merchants/me/passkey-setup';
    const { json } = await this.shops.post(path, undefined, this.session);
    return tokenIn(json.passkey_setup_url as string);
  }

  start(caller: Partial<RequestContext> = this.session, changes: object = {}) {
    const body = { merchant_id: this.id, email: this.email, display_name: 'Corner Shop' };
    return this.shops.post('/api/v1/webauthn/register/start', { ...body, ...changes }, caller);
  }

  finish(
    challenge_id: string,
    credential: object,
    caller: Partial<RequestContext> = this.session,
    name?: string,
  ) {
    const body = { challenge_id, credential, ...(name === undefined ? {} : { name }) };
    return this.shops.post('/api/v1/webauthn/register/finish', body, caller);
  }

  /** A new passkey, to sign in or, with a set-up token, to sign; and what its registration answered. */
  async register({ token, lies, algorithm, counts }: Registering = {}) {
    const caller = token === undefined ? this.session : this.opened(token);
    const origin = token === undefined ? PLACE.url : PLACE.approval_url;
    const device = new SoftwareAuthenticator(origin, algorithm, { counts: counts ?? false });
    const { challenge_id, options } = (await this.start(caller)).json;
    const answer = await this.finish(challenge_id as string, device.create(options, lies), caller);
    return { device, answer };
  }

  async signIn(device: SoftwareAuthenticator, lies: Lies = {}, email = this.email) {
    const { json } = await this.shops.post('/api/v1/merchants/login/start', { email });
    return this.verify(json.session_id as string, device.get(json.webauthn_options, lies));
  }

  verify(session_id: string, credential_response: object) {
    return this.shops.post('/api/v1/merchants/login/verify', { session_id, credential_response });
  }
}

/** What follows the `#`. */
export const tokenIn = (setup_url: string): string => new URL(setup_url).hash.slice(1);
