import { startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser';
import type { Proof } from '@tender/threshold/approval';

/**
 * Has one of the passkeys of this origin sign a challenge, by a person whom the device has recognised. The browser
 * offers all that it has for this host; signers know which are the merchant’s. Rejects where there is no such
 * signature, whatever the reason.
 */
export async function signChallenge(challenge: string, timeout: number): Promise<Proof> {
  const userVerification = 'required' as const;
  const optionsJSON = { challenge, timeout, userVerification, rpId: location.hostname };
  const { id, response } = await startAuthentication({ optionsJSON });
  const { authenticatorData, clientDataJSON, signature } = response;
  return {
    credential_id: id,
    authenticator_data: authenticatorData,
    client_data_json: clientDataJSON,
    signature,
  };
}

/** Closes what the browser asks. */
export const cancelAsked = (): void => WebAuthnAbortService.cancelCeremony();
