import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { cbor, type Cbor } from './cbor';

export type Algorithm = 'ES256' | 'EdDSA';

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
const [ES256, EDDSA] = [-7, -8];
const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** A browser with an authenticator that holds one passkey and asks no one: it says and signs what a test wants. */
export class SoftwareAuthenticator {
  readonly id: string;
  private readonly key: KeyObject;
  private readonly cose: Cbor;
  private counter: number;

  constructor(
    private readonly origin: string,
    algorithm: Algorithm = 'ES256',
    { counts = false, id_bytes = 32 }: Make = {},
  ) {
    this.id = randomBytes(id_bytes).toString('base64url');
    const made = algorithm === 'ES256' ? ellipticKey() : edwardsKey();
    this.key = made.key;
    this.cose = made.cose;
    this.counter = counts ? 1 : 0;
  }

  /** Answers `POST /webauthn/register/start`, as `navigator.credentials.create` would. */
  create(asked: Asked, lies: Lies = {}) {
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.from([id.length >> 8, id.length & 255]);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, cbor(this.cose)]);
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
    const signed = Buffer.concat([data, sha256(Buffer.from(client, 'base64url'))]);
    const digest = this.key.asymmetricKeyType === 'ec' ? 'sha256' : null;
    return this.answer(lies, {
      clientDataJSON: client,
      authenticatorData: data.toString('base64url'),
      signature: sign(digest, signed, this.key).toString('base64url'),
    });
  }

  private data({ rp, rpId }: Asked, more: number, lies: Lies): Buffer {
    const { rp_id = rp?.id ?? rpId ?? '', present = true, verified = true } = lies;
    const flags = (present ? PRESENT : 0) | (verified ? VERIFIED : 0) | more;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lies.counter ?? this.counter);
    return Buffer.concat([sha256(rp_id), Buffer.from([flags]), counter]);
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

function ellipticKey() {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const of = (coordinate: string): Buffer => Buffer.from(coordinate, 'base64url');
  const cose = new Map<number, Cbor>([[1, 2], [3, ES256], [-1, 1], [-2, of(x)], [-3, of(y)]]);
  return { key, cose };
}

function edwardsKey() {
  const { privateKey: key, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const cose = new Map<number, Cbor>([[1, 1], [3, EDDSA], [-1, 6], [-2, Buffer.from(x, 'base64url')]]);
  return { key, cose };
}
