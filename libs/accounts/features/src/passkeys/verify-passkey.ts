import type { Passkey } from '@tender/accounts-domain';
import { PASSKEY_ID_CHARACTERS_MAX } from '@tender/contracts';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { RelyingParty } from './relying-party';
import { webauthn } from './webauthn';

/** ES256, EdDSA, RS256: COSE numbers. */
export const ALGORITHMS = [-7, -8, -257];

const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/** What the credential that a browser has made says of itself. */
export type NewPasskey = Pick<Passkey, 'id' | 'public_key' | 'counter' | 'transports'>;

/** What the browser sent, and what it was asked. */
interface Answered {
  readonly credential: object;
  /** Base64url. */
  readonly challenge: string;
  readonly rp: RelyingParty;
}

/** Null for what does not answer the challenge, on that page, by a person whom the authenticator has verified (S35). */
export async function verifyNewPasskey(answered: Answered): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await webauthn();
  const response = answered.credential as RegistrationResponseJSON;
  const made = await orNull(() =>
    verifyRegistrationResponse({
      response,
      ...expectedOf(answered),
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!made?.verified || isFramed(response)) return null;
  const { id, publicKey, counter, transports } = made.registrationInfo.credential;
  if (id.length > PASSKEY_ID_CHARACTERS_MAX) return null;
  const said: unknown[] = Array.isArray(transports) ? transports : [];
  return {
    ...{ id, counter },
    public_key: Buffer.from(publicKey).toString('base64url'),
    transports: [...TRANSPORTS].filter((transport) => said.includes(transport)),
  };
}

/**
 * The authenticator’s counter; null for what is no answer of that passkey, as with a new one. The library does not
 * look whether the answer names the passkey: the caller finds it by the name in the answer.
 */
export async function verifyPasskey(
  answered: Answered,
  passkey: Pick<Passkey, 'id' | 'public_key'>,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await webauthn();
  const response = answered.credential as AuthenticationResponseJSON;
  const answer = await orNull(() =>
    verifyAuthenticationResponse({
      response,
      ...expectedOf(answered),
      // Its counter is compared where all that it has said are kept.
      credential: { id: passkey.id, publicKey: bytesOf(passkey.public_key), counter: 0 },
    }),
  );
  if (!answer?.verified || isFramed(response)) return null;
  return answer.authenticationInfo.newCounter;
}

/** What the library compares in each answer. */
const expectedOf = ({ challenge, rp }: Answered) => ({
  expectedChallenge: challenge,
  expectedOrigin: rp.origin,
  expectedRPID: rp.id,
  requireUserVerification: true,
});

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(base64url, 'base64url'));

/** Our pages are in no frame of another site; the library lets those pass that do not say of which. */
function isFramed({
  response,
}: Pick<RegistrationResponseJSON, 'response'> | Pick<AuthenticationResponseJSON, 'response'>): boolean {
  const said = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as {
    readonly crossOrigin?: unknown;
  };
  return said.crossOrigin === true;
}

/** The library throws for each thing that is not as it must be, whatever a stranger has sent. */
async function orNull<Value>(verify: () => Promise<Value>): Promise<Value | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
