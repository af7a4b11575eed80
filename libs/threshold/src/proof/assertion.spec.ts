import { createHash } from 'node:crypto';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { base64url } from '../base64url';
import { ALGORITHMS, authenticatorData, passkeyKey, signAssertion, type Algorithm } from '../testing/passkey-key';
import { isAssertionSigned } from './assertion';

// Signers verify by code of their own (docs/adr/0018); here it is held to the library that the gateway verifies by.

/** An assertion and the key that it is looked at with. */
interface Signed {
  readonly public_key: Buffer;
  readonly data: Buffer;
  readonly client: Buffer;
  readonly signature: Buffer;
}

const [origin, rp_id] = ['http://localhost:8090', 'localhost'];
const CHALLENGE = base64url(createHash('sha256').update('an operation').digest());

function signedBy(algorithm: Algorithm): Signed {
  const key = passkeyKey(algorithm);
  const data = authenticatorData({ rp_id, flags: 0b101, counter: 0 });
  const said = { type: 'webauthn.get', challenge: CHALLENGE, origin, crossOrigin: false };
  const client = Buffer.from(JSON.stringify(said));
  return { public_key: key.cose, data, client, signature: signAssertion(key, data, client) };
}

const signerTakes = ({ public_key, data, client, signature }: Signed): boolean =>
  isAssertionSigned(base64url(public_key), { client_bytes: client, data, signature });

async function libraryTakes({ public_key, data, client, signature }: Signed): Promise<boolean> {
  const id = base64url(Buffer.alloc(32, 1));
  const response = {
    ...{ authenticatorData: base64url(data), clientDataJSON: base64url(client) },
    signature: base64url(signature),
  };
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      ...{ expectedChallenge: () => true, expectedOrigin: origin, expectedRPID: rp_id },
      credential: { id, publicKey: Uint8Array.from(public_key), counter: 0 },
      requireUserVerification: true,
    });
    return verified;
  } catch {
    return false;
  }
}

/** Each with another byte of these changed. */
const changedOnce = (honest: Signed, parts: readonly (keyof Signed)[]): readonly Signed[] =>
  parts.flatMap((part) =>
    [...honest[part].keys()].map((at) => {
      const bytes = Buffer.from(honest[part]);
      bytes[at]! ^= 1;
      return { ...honest, [part]: bytes };
    }),
  );

describe.each(ALGORITHMS)('an assertion by %s', (algorithm) => {
  const honest = signedBy(algorithm);

  test('is taken by a signer and by @simplewebauthn/server', async () => {
    expect([signerTakes(honest), await libraryTakes(honest)]).toEqual([true, true]);
  });

  test('is refused by both with any byte of what was signed changed', async () => {
    const changed = changedOnce(honest, ['data', 'client']);
    const by_library = await Promise.all(changed.map(libraryTakes));
    expect(changed.filter(signerTakes)).toEqual([]);
    expect(changed.filter((_, at) => by_library[at])).toEqual([]);
  });

  /**
   * The library reads some keys and signatures that are not written as they must be: an Ed25519 key that says ES256, a
   * signature whose length is another one.
   */
  test('is refused by a signer with any byte of the key or the signature changed', () => {
    expect(changedOnce(honest, ['public_key', 'signature']).filter(signerTakes)).toEqual([]);
  });

  test('is refused by both with the key of another passkey', async () => {
    const other = { ...honest, public_key: passkeyKey(algorithm).cose };
    expect([signerTakes(other), await libraryTakes(other)]).toEqual([false, false]);
  });
});
