import type { KeyHolder, Route } from '@tender/contracts';
import type { Delays, Runtime } from '@tender/eventing';

export interface EdgeConfig {
  /** `off`: no request is ever refused for rate; the headers are still sent (specification §5). */
  readonly rate_limits: 'default' | 'off';
  readonly admin_token: string;
  /** False: helper routes are 404. */
  readonly test_helpers: boolean;
  /** Null: any client may sign up. */
  readonly signup_token?: string | null;
  /** Instead of `LIMITS`: other numbers per hour for merchants without their own. */
  readonly limits?: Partial<MerchantLimits>;
  /** Server URL in the served OpenAPI document; relative by default. */
  readonly public_url?: string | null;
  /** Requests let in at once; `REQUESTS_MAX` by default. */
  readonly requests_max?: number;
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
  /** Called for each admitted request of a key. */
  used(key_id: string): void;
}

export interface EdgeOptions {
  readonly routes: readonly Route[];
  readonly runtime: Pick<
    Runtime,
    'clock' | 'random' | 'log' | 'keyRing' | 'readModels' | 'eventStore' | 'calls' | 'telemetry'
  >;
  /** accounts: the merchant of each key. */
  readonly keys: EdgeKeys;
  /** Whether requests are served and the log answers; `GET /readyz` asks this and whether both chains are followed. */
  readonly ready: () => Promise<boolean>;
  readonly delays: Delays;
  /** This is the only gateway on its database. */
  readonly alone: boolean;
  readonly config: EdgeConfig;
}

/** Less than half a second of work for one process, and more than its best throughput needs. */
export const REQUESTS_MAX = 500;

export const MERCHANT_LIMITS: MerchantLimits = { creation: 50, read: 200, other: 100 };

/** Tests of a merchant’s webhook, an hour: each may hold a place for as long as the receiver is silent. */
export const WEBHOOK_TEST_LIMIT = 10;

/** Per IP and object, an hour; sign-up per IP, an hour (specification §1.9). */
export const PUBLIC_LIMIT = 600;
export const STATUS_LIMIT = 3600;
export const SIGN_UP_LIMIT = 5;
/** Per IP, a minute. */
export const BAD_KEY_LIMIT = 60;
