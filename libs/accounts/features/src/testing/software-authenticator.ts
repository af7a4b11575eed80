import { randomBytes } from 'node:crypto';
import {
  authenticatorData,
  cbor,
  passkeyKey,
  signAssertion,
  type Algorithm,
  type Cbor,
  type PasskeyKey,
} from '@tender/threshold/testing';

/** What a browser is given, of `options` and of `webauthn_options`. */
interface Asked {
  readonly challenge: string;
  /** Of a registration. */
  readonly rp?: { readonly id: string };
  /** Of a sign-in. */
  readonly rpId?: string;
}

/** What else than it should an answer says. */
export interface Lies {
  readonly type?: string;
  readonly challenge?: string;
  readonly origin?: string;
  readonly crossOrigin?: boolean;
  readonly rp_id?: string;
  readonly verified?: boolean;
  readonly present?: boolean;
  readonly counter?: number;
  readonly id?: string;
}

interface Make {
  /** Counts its signatures; many passkeys say 0 each time. */
  readonly counts?: boolean;
  readonly id_bytes?: number;
}

const [PRESENT, VERIFIED, HAS_CREDENTIAL] = [1, 4, 64];

/** A browser with an authenticator that holds one passkey and asks no one: it says and signs what a test wants. */
export class SoftwareAuthenticator {
  readonly id: string;
  private readonly key: PasskeyKey;
  private counter: number;

  constructor(
    private readonly origin: string,
    algorithm: Algorithm = 'ES256',
    { counts = false, id_bytes = 32 }: Make = {},
  ) {
    this.id = randomBytes(id_bytes).toString('base64url');
    this.key = passkeyKey(algorithm);
    this.counter = counts ? 1 : 0;
  }

  /** Answers `POST /webauthn/register/start`, as `navigator.credentials.create` would. */
  create(asked: Asked, lies: Lies = {}) {
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.from([id.length >> 8, id.length & 255]);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, this.key.cose]);
    const authData = Buffer.concat([this.data(asked, HAS_CREDENTIAL, lies), credential]);
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.answer(lies, {
      clientDataJSON: clientData('webauthn.create', asked, this.origin, lies),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal', 'telepathy'],
    });
  }

  /** Answers `POST /merchants/login/start`, as `navigator.credentials.get` would. */
  get(asked: Asked, lies: Lies = {}) {
    if (this.counter > 0) this.counter += 1;
    const client = clientData('webauthn.get', asked, this.origin, lies);
    const data = this.data(asked, 0, lies);
    return this.answer(lies, {
      clientDataJSON: client,
      authenticatorData: data.toString('base64url'),
      signature: signAssertion(this.key, data, Buffer.from(client, 'base64url')).toString('base64url'),
    });
  }

  private data({ rp, rpId }: Asked, more: number, lies: Lies): Buffer {
    const { rp_id = rp?.id ?? rpId ?? '', present = true, verified = true } = lies;
    const flags = (present ? PRESENT : 0) | (verified ? VERIFIED : 0) | more;
    return authenticatorData({ rp_id, flags, counter: lies.counter ?? this.counter });
  }

  private answer<Response extends object>(lies: Lies, response: Response) {
    const id = lies.id ?? this.id;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

function clientData(type: string, asked: Asked, origin: string, lies: Lies): string {
  const said = {
    type: lies.type ?? type,
    challenge: lies.challenge ?? asked.challenge,
    origin: lies.origin ?? origin,
    crossOrigin: lies.crossOrigin ?? false,
  };
  return Buffer.from(JSON.stringify(said)).toString('base64url');
}
