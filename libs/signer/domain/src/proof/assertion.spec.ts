import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { base64url, bytesOfBase64url, type Proof, type ProvenOperation } from '@tender/threshold';
import { ALGORITHMS } from '@tender/threshold/testing';
import { NOW_MS, wallet } from '../testing/requests';
import { APPROVAL, SoftPasskey } from '../testing/soft-passkey';
import { isAssertionSigned } from './assertion';

// Signers verify by code of their own (docs/adr/0018); here it is held to the library that the gateway verifies by.

const operation: ProvenOperation = {
  ...{ type: 'unfreeze_operating_wallet', merchant_id: 'merchant-1', mode: 'test', wallet },
};
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(bytesOfBase64url(text)!);

/** A proof and the key that it is looked at with. */
interface Signed extends Proof {
  readonly public_key: string;
}
type Part = Exclude<keyof Signed, 'credential_id'>;

const signedBy = (passkey: SoftPasskey): Signed => ({
  ...passkey.allowing(operation, NOW_MS),
  public_key: passkey.public_key,
});

const signerTakes = (one: Signed): boolean =>
  isAssertionSigned(one.public_key, {
    client_bytes: bytesOf(one.client_data_json),
    data: bytesOf(one.authenticator_data),
    signature: bytesOf(one.signature),
  });

async function libraryTakes(one: Signed): Promise<boolean> {
  const { credential_id: id, authenticator_data, client_data_json, signature } = one;
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { authenticatorData: authenticator_data, clientDataJSON: client_data_json, signature },
      },
      ...{ expectedChallenge: () => true, expectedOrigin: APPROVAL.origin, expectedRPID: APPROVAL.rp_id },
      credential: { id, publicKey: bytesOf(one.public_key), counter: 0 },
      requireUserVerification: true,
    });
    return verified;
  } catch {
    return false;
  }
}

/** Each with another byte changed. */
function changedOnce(honest: Signed, parts: readonly Part[]): readonly Signed[] {
  return parts.flatMap((part) =>
    [...bytesOf(honest[part]).keys()].map((at) => {
      const bytes = bytesOf(honest[part]);
      bytes[at]! ^= 1;
      return { ...honest, [part]: base64url(bytes) };
    }),
  );
}

describe.each(ALGORITHMS)('an assertion by %s', (algorithm) => {
  const honest = signedBy(new SoftPasskey(algorithm));

  test('is taken by a signer and by @simplewebauthn/server', async () => {
    expect([signerTakes(honest), await libraryTakes(honest)]).toEqual([true, true]);
  });

  test('is refused by both with any byte of what was signed changed', async () => {
    const changed = changedOnce(honest, ['authenticator_data', 'client_data_json']);
    const by_library = await Promise.all(changed.map(libraryTakes));
    expect([changed.filter(signerTakes), changed.filter((_, at) => by_library[at])]).toEqual([[], []]);
  });

  /**
   * The library reads some keys and signatures that are not written as they must be: an Ed25519 key that says ES256, a
   * signature whose length is another one.
   */
  test('is refused by a signer with any byte of the key or the signature changed', () => {
    expect(changedOnce(honest, ['public_key', 'signature']).filter(signerTakes)).toEqual([]);
  });

  test('is refused by both with the key of another passkey', async () => {
    const { public_key } = new SoftPasskey(algorithm);
    const other = { ...honest, public_key };
    expect([signerTakes(other), await libraryTakes(other)]).toEqual([false, false]);
  });
});
