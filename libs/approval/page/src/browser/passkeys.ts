import {
  browserSupportsWebAuthn,
  bufferToBase64URLString,
  startAuthentication,
  startRegistration,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
} from '@simplewebauthn/browser';
import type { SetUp } from '../view';
import type { SetupApi } from './setup-api';

/** What the pages ask of the passkeys of this device. */
export interface Passkeys {
  make(api: SetupApi, setup: SetUp, registered: (id: string) => void): Promise<UsedPasskey>;
  use(ids: readonly string[]): Promise<UsedPasskey>;
}

/** A passkey that was just used. */
export interface UsedPasskey {
  readonly id: string;
  /**
   * 32 bytes that this passkey alone can answer, and always will; null where it cannot. They never leave this page, and
   * are zeroed once they are not needed.
   */
  readonly prf: Uint8Array | null;
}

/**
 * The person closed the request or was not recognised (`refused`), the device has the passkey already (`known`), it
 * answers nothing that seals (`no_prf`), or no share is kept with it (`not_sealed`).
 */
export class PasskeyRefused extends Error {
  constructor(readonly reason: 'refused' | 'known' | 'no_prf' | 'not_sealed') {
    super(reason);
  }
}

interface PrfResults {
  readonly prf?: {
    readonly enabled?: boolean;
    readonly results?: { readonly first?: ArrayBuffer };
  };
}
interface Extended {
  readonly id: string;
  readonly clientExtensionResults: object;
}

/** What passkeys are asked about share C: never changed, since each sealed share needs the same answer again. */
const PRF = { prf: { eval: { first: new TextEncoder().encode('tender: share C of a passkey wallet') } } };
const CHALLENGE_BYTES = 32;

export const hasPasskeys = (): boolean => browserSupportsWebAuthn();

/**
 * Makes a signing passkey and has it registered; `registered` hears of that at once. Throws `PasskeyRefused`, and what
 * the API refuses.
 */
async function makePasskey(
  api: SetupApi,
  setup: SetUp,
  registered: (id: string) => void,
): Promise<UsedPasskey> {
  const { merchant_id, email, merchant_name } = setup;
  const { challenge_id, options } = await api.post<{
    readonly challenge_id: string;
    readonly options: PublicKeyCredentialCreationOptionsJSON;
  }>('/webauthn/register/start', { merchant_id, email, display_name: merchant_name });
  const extensions = { ...options.extensions, ...PRF };
  const made = await asked(startRegistration({ optionsJSON: { ...options, extensions } as never }));
  const { prf } = made.clientExtensionResults as PrfResults;
  // What the passkey has answered stays here.
  const credential = { ...made, clientExtensionResults: {} };
  const { id } = await api.post<{ id: string }>('/webauthn/register/finish', { challenge_id, credential });
  registered(id);
  const answered = prfOf(made);
  // Some answer only when they are used.
  if (answered || !prf?.enabled) return { id, prf: answered };
  return { id, prf: (await usePasskey([id])).prf };
}

/**
 * Asks one of these passkeys for its answer. Only this page hears it: nothing is proven to the program, so the
 * challenge is the page's own.
 */
async function usePasskey(ids: readonly string[]): Promise<UsedPasskey> {
  const challenge = bufferToBase64URLString(
    crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES)).buffer,
  );
  const allowCredentials = ids.map((id) => ({ id, type: 'public-key' as const }));
  const userVerification = 'required' as const;
  const optionsJSON = { challenge, allowCredentials, userVerification, extensions: PRF as never };
  const used = await asked(startAuthentication({ optionsJSON }));
  return { id: used.id, prf: prfOf(used) };
}

function prfOf({ clientExtensionResults }: Extended): Uint8Array | null {
  const { first } = (clientExtensionResults as PrfResults).prf?.results ?? {};
  return first ? new Uint8Array(first) : null;
}

export const devicePasskeys: Passkeys = { make: makePasskey, use: usePasskey };

async function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (fault) {
    const is_known =
      fault instanceof WebAuthnError && fault.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
    throw new PasskeyRefused(is_known ? 'known' : 'refused');
  }
}
