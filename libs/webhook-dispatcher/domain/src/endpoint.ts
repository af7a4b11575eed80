import { accept, type Decider, type Decision } from '@tender/kernel';

/** A secret that co-signs until its time (business time, milliseconds) has come. */
export interface RetiringSecret {
  readonly secret: string;
  readonly until: number;
}

/** Where the sender posts a merchant's webhooks of one mode, and what signs them. Secrets are sealed. */
export interface Endpoint {
  readonly url: string | null;
  readonly secret: string | null;
  readonly previous: RetiringSecret | null;
  /** The merchant has seen the secret: only then may its receiver still check with it. */
  readonly shown: boolean;
  /** The merchant has said where to send, at sign-up or since then, be it nowhere. */
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

/** The sender must sign before the merchant has a secret: a payment has a webhook URL of its own. */
export interface ProvideSecret {
  readonly type: 'ProvideSecret';
  readonly secret: string;
}

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

/** How long a replaced secret co-signs. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000;

const INITIAL: Endpoint = {
  url: null,
  secret: null,
  previous: null,
  shown: false,
  configured: false,
};

type EndpointDecision = Decision<EndpointEvent, never>;

/** Refuses nothing: the route has asked before whether the URL may be called at all. */
export const endpointDecider = {
  initial: INITIAL,
  evolve: (state: Endpoint, event: EndpointEvent): Endpoint =>
    event.type === 'EndpointConfigured'
      ? { ...event.data, configured: true }
      : { ...state, secret: event.data.secret, shown: false },

  decide: {
    OpenEndpoint: (command: OpenEndpoint, state: Endpoint): EndpointDecision =>
      state.configured ? accept() : configured(command, state, false),
    ConfigureEndpoint: (command: ConfigureEndpoint, state: Endpoint): EndpointDecision =>
      configured(command, state, true),
    ProvideSecret: ({ secret }: ProvideSecret, state: Endpoint): EndpointDecision =>
      state.secret === null ? accept({ type: 'SecretProvided', data: { secret } }) : accept(),
  },
} satisfies Decider<Endpoint, EndpointEvent>;

function configured(
  { url, secret, at }: OpenEndpoint | ConfigureEndpoint,
  state: Endpoint,
  shown: boolean,
): EndpointDecision {
  const previous =
    state.secret !== null && state.shown
      ? { secret: state.secret, until: at + SECRET_OVERLAP_MS }
      : null;
  return accept({ type: 'EndpointConfigured', data: { url, secret, previous, shown } });
}

/** The sealed secrets that sign at a business time (milliseconds), newest first. */
export function signingSecrets(
  endpoint: Pick<Endpoint, 'secret' | 'previous'>,
  now: number,
): readonly string[] {
  const { secret, previous } = endpoint;
  if (secret === null) return [];
  return previous && now < previous.until ? [secret, previous.secret] : [secret];
}
