import { accept, type Decider } from '@tender/kernel';

/** A secret that co-signs until its time (business time, milliseconds) has come. */
export interface RetiringSecret {
  readonly secret: string;
  readonly until: number;
}

/** Where a merchant hears of one mode, and what its webhooks are signed with. Secrets are sealed. */
export interface Endpoint {
  readonly url: string | null;
  readonly secret: string | null;
  readonly previous: RetiringSecret | null;
  /** The merchant has seen the secret: only then can anybody still check with it. */
  readonly shown: boolean;
  /** Somebody has said where to send, be it nowhere. */
  readonly configured: boolean;
}

/** What the merchant said at sign-up; whatever it has said since then stays. */
export interface OpenEndpoint {
  readonly type: 'OpenEndpoint';
  readonly url: string | null;
  readonly secret: string;
  readonly at: number;
}

/** The merchant names an address, or none, and gets a new secret with it. `at`: business time, milliseconds. */
export interface ConfigureEndpoint {
  readonly type: 'ConfigureEndpoint';
  readonly url: string | null;
  readonly secret: string;
  readonly at: number;
}

/** Something must be signed before anybody asked for a secret: a payment that has a webhook URL of its own. */
export interface ProvideSecret {
  readonly type: 'ProvideSecret';
  readonly secret: string;
}

export type EndpointCommand = OpenEndpoint | ConfigureEndpoint | ProvideSecret;

export interface EndpointConfigured {
  readonly type: 'EndpointConfigured';
  readonly data: {
    readonly url: string | null;
    readonly secret: string;
    readonly previous: RetiringSecret | null;
    readonly shown: boolean;
  };
}
export interface SecretProvided {
  readonly type: 'SecretProvided';
  readonly data: { readonly secret: string };
}
export type EndpointEvent = EndpointConfigured | SecretProvided;

/** How long a replaced secret co-signs (decisions §2.1). */
export const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000;

/** No rule can be broken here: whether the URL may be called at all is asked before. */
export const endpointDecider: Decider<Endpoint, EndpointCommand, EndpointEvent, never> = {
  initial: { url: null, secret: null, previous: null, shown: false, configured: false },

  decide(command, state) {
    if (command.type === 'ProvideSecret') {
      return state.secret === null
        ? accept({ type: 'SecretProvided', data: { secret: command.secret } })
        : accept();
    }
    if (command.type === 'OpenEndpoint' && state.configured) return accept();
    const { url, secret, at } = command;
    const previous =
      state.secret !== null && state.shown
        ? { secret: state.secret, until: at + SECRET_OVERLAP_MS }
        : null;
    const shown = command.type === 'ConfigureEndpoint';
    return accept({ type: 'EndpointConfigured', data: { url, secret, previous, shown } });
  },

  evolve: (state, event) =>
    event.type === 'EndpointConfigured'
      ? { ...event.data, configured: true }
      : { ...state, secret: event.data.secret, shown: false },
};

/** The sealed secrets that sign at a business time (milliseconds), newest first. */
export function signingSecrets(
  endpoint: Pick<Endpoint, 'secret' | 'previous'>,
  now: number,
): readonly string[] {
  const { secret, previous } = endpoint;
  if (secret === null) return [];
  return previous && now < previous.until ? [secret, previous.secret] : [secret];
}
