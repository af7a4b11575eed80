/** `login` opens sessions of the dashboard; `signing` is used on the approval page only. */
export type PasskeyKind = 'login' | 'signing';

export interface Passkey {
  /** Id of the credential, base64url. */
  readonly id: string;
  readonly kind: PasskeyKind;
  /** COSE key, base64url. */
  readonly public_key: string;
  /** Signatures that the authenticator had counted when it registered; 0 where it counts none. */
  readonly counter: number;
  readonly transports: readonly string[];
  /** For people, who may write their own name into it: sealed under the merchant’s own key (E11). */
  readonly name_sealed: string;
  /** In the first events, instead of `name_sealed`. */
  readonly name?: string;
  readonly asked_by: SetupAsker;
  readonly registered_at: string;
}

/** Who asked for a set-up link, or for a passkey without one. A `key` is an API key, which gets about. */
export type SetupAsker = 'sign_up' | 'session' | 'key';

/** The newest set-up link of a merchant; an earlier one is unknown from then on. */
export interface PasskeySetup {
  /** SHA-256 of the token’s text, hex. The text itself is stored nowhere. */
  readonly token_hash: string;
  readonly asked_by: SetupAsker;
  readonly expires_at: string;
  readonly used_at: string | null;
}

/** What a merchant’s state holds of passkeys. Missing: none, as in a merchant folded before there were any. */
export interface MerchantPasskeys {
  readonly passkeys?: Readonly<Record<string, Passkey>>;
  readonly passkey_setup?: PasskeySetup;
}

export interface PasskeyRegistered {
  readonly type: 'PasskeyRegistered';
  readonly data: Omit<Passkey, 'id'> & {
    readonly merchant_id: string;
    readonly passkey_id: string;
  };
}

export interface PasskeyRemoved {
  readonly type: 'PasskeyRemoved';
  readonly data: {
    readonly merchant_id: string;
    readonly passkey_id: string;
    readonly removed_at: string;
  };
}

export interface PasskeySetupIssued {
  readonly type: 'PasskeySetupIssued';
  readonly data: {
    readonly merchant_id: string;
    readonly token_hash: string;
    readonly asked_by: SetupAsker;
    readonly expires_at: string;
  };
}

/** Goes with the event that completes the set-up, in the same append. */
export interface PasskeySetupUsed {
  readonly type: 'PasskeySetupUsed';
  readonly data: {
    readonly merchant_id: string;
    readonly token_hash: string;
    readonly used_at: string;
  };
}

export type PasskeyEvent =
  PasskeyRegistered | PasskeyRemoved | PasskeySetupIssued | PasskeySetupUsed;

/** Every passkey that is registered now, oldest first. */
export const passkeysOf = ({ passkeys }: MerchantPasskeys): readonly Passkey[] =>
  Object.values(passkeys ?? {}).sort((a, b) => a.registered_at.localeCompare(b.registered_at));

export function passkeyOf({ passkeys }: MerchantPasskeys, id: string): Passkey | undefined {
  return passkeys && Object.hasOwn(passkeys, id) ? passkeys[id] : undefined;
}

export function evolvePasskeys<State extends MerchantPasskeys>(
  state: State,
  event: PasskeyEvent,
): State {
  if (event.type === 'PasskeyRegistered') {
    const { merchant_id: _, passkey_id: id, ...passkey } = event.data;
    return { ...state, passkeys: { ...state.passkeys, [id]: { id, ...passkey } } };
  }
  if (event.type === 'PasskeyRemoved') {
    const { [event.data.passkey_id]: _, ...passkeys } = state.passkeys ?? {};
    return { ...state, passkeys };
  }
  const { token_hash } = event.data;
  if (event.type === 'PasskeySetupIssued') {
    const { asked_by, expires_at } = event.data;
    return { ...state, passkey_setup: { token_hash, asked_by, expires_at, used_at: null } };
  }
  const { passkey_setup } = state;
  if (passkey_setup?.token_hash !== token_hash) return state;
  return { ...state, passkey_setup: { ...passkey_setup, used_at: event.data.used_at } };
}
