import type { KeyHolder, RequestExamples, Route, SessionHolder, SetupHolder } from '@tender/contracts';
import type { Delays, Runtime } from '@tender/eventing';
import type { ErrorPage } from '@tender/http';
import type { Share } from './admission/places';
import type { Shares } from './admission/refuse-overload';

export interface EdgeConfig {
  /** `off`: no request is ever refused for rate; the headers are still sent (specification §5). */
  readonly rate_limits: 'default' | 'off';
  /** What clients who run the program themselves can do about a limit: it ends the sentence that refuses them. */
  readonly limits_way_out?: string;
  readonly admin_token: string;
  /** False: helper routes are 404. */
  readonly test_helpers: boolean;
  /** Null: any client may sign up. */
  readonly signup_token?: string | null;
  /** Instead of `LIMITS`: other numbers per hour for merchants without their own. */
  readonly limits?: Partial<MerchantLimits>;
  /** Where clients reach the program: the served OpenAPI document and the origin of its pages. Unset: any host. */
  readonly public_url?: string | null;
  /** Ranges (CIDR) whose `X-Forwarded-For` is believed; none by default. */
  readonly trusted_proxies?: readonly string[];
  /** Ranges (CIDR) from which `/admin` is there; from everywhere by default. */
  readonly admin_networks?: readonly string[] | undefined;
  /** Requests let in at once, pages and probes apart; `REQUESTS_MAX` by default. */
  readonly requests_max?: number;
  /** Event streams that one address may have open; `STREAMS_PER_ADDRESS` by default. */
  readonly streams_per_address?: number;
}

/** Requests an hour, by category (specification §1.9). */
export interface MerchantLimits {
  readonly creation: number;
  readonly read: number;
  readonly other: number;
}

export interface EdgeKeys {
  /** The holder of the key with this SHA-256 (hex). Never cached here: rotation is atomic (E2). */
  authenticate(hash: string): Promise<KeyHolder | null>;
  /** Whether this process has seen that key before and knows of nothing that took it away; asks no table. */
  remembers(hash: string): boolean;
  /** Called for each admitted request of a key. */
  used(key_id: string): void;
}

export interface EdgeSessions {
  /** The holder of the session whose token has this SHA-256 (hex), which is used hereby; null where it has ended. */
  authenticate(hash: string): Promise<SessionHolder | null>;
  /** Whether this process has let that session in before; asks no table. */
  remembers(hash: string): boolean;
}

export interface EdgeSetups {
  /** The merchant of a set-up token, also of one that was used or has expired; null for one that is none of ours. */
  authenticate(token: string): Promise<SetupHolder | null>;
}

/** A merchant of whom nothing is secret, and what requests are tried with in its name. */
export interface Trial {
  /** A test key; the reference shows it to whoever opens it. */
  readonly api_key: string;
  readonly examples: RequestExamples;
}

export interface EdgeOptions {
  readonly routes: readonly Route[];
  readonly runtime: Pick<
    Runtime,
    'clock' | 'random' | 'log' | 'keyRing' | 'readModels' | 'eventStore' | 'calls' | 'telemetry' | 'mail'
  >;
  /** accounts: the merchant of each key. */
  readonly keys: EdgeKeys;
  /** accounts: who has signed in. */
  readonly sessions: EdgeSessions;
  /** accounts: who has opened a set-up link. */
  readonly setups: EdgeSetups;
  /** Whether the process can serve; `GET /readyz` asks this and whether both chains are followed. */
  readonly ready: () => Promise<boolean>;
  readonly delays: Delays;
  /** Runs `work` once all is taken in that this turn of the event loop has read. */
  readonly atEndOfTurn: (work: () => void) => void;
  /** This is the only gateway on its database. */
  readonly alone: boolean;
  readonly config: EdgeConfig;
  /** Where the pages are on which signing passkeys are used: the one other origin that may ask. Read late. */
  readonly approval_url?: () => string;
  /** Errors of pages, for browsers; without it they are JSON. */
  readonly error_page?: ErrorPage | undefined;
  /** Asked when the reference is opened, which is then ready to be tried; null where it has no key. */
  readonly trial?: () => Promise<Trial | null>;
}

/** Less than half a second of work for one process, and more than its best throughput needs. */
const REQUESTS_MAX = 500;
/** Leaves 200 places to others. It may be a proxy that was not named, so it has more than one client needs. */
const REQUESTS_PER_ADDRESS_MAX = 300;
/** A browser that opens the reference asks for three pages; a probe comes alone. Neither makes real work. */
const OPEN_SHARE: Share = { all: 100, per_address: 20 };

/** Open event streams: 10,000 take about 200 MB of one process. */
const STREAMS_MAX = 10_000;
/** Tabs of one household, or of one till. */
const STREAMS_PER_ADDRESS = 20;

export const sharesOf = ({
  requests_max = REQUESTS_MAX,
  streams_per_address = STREAMS_PER_ADDRESS,
}: EdgeConfig): Shares => ({
  api: { all: requests_max, per_address: REQUESTS_PER_ADDRESS_MAX },
  pages: OPEN_SHARE,
  probes: OPEN_SHARE,
  streams: { all: STREAMS_MAX, per_address: streams_per_address },
});

export const MERCHANT_LIMITS: MerchantLimits = { creation: 50, read: 200, other: 100 };

/** Tests of a merchant’s webhook, an hour: each may hold a place for as long as the receiver is silent. */
export const WEBHOOK_TEST_LIMIT = 10;

/** Per IP and object, an hour; sign-up per IP, an hour (specification §1.9). */
export const PUBLIC_LIMIT = 600;
export const STATUS_LIMIT = 3600;
export const SIGN_UP_LIMIT = 5;
/** Steps of a sign-in per IP, an hour: a shop’s people share an address, and wrong codes are counted by account. */
export const LOGIN_LIMIT = 100;
/** Keys, sessions and set-up tokens, per IP and minute. */
export const BAD_KEY_LIMIT = 60;
