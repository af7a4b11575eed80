import { PAYOUT_FEE_KEY_FILES, SPONSOR_KEY_FILES } from '@tender/contracts';
import { readWholeNumber, SettingsFault, type Env } from '@tender/eventing';
import type { ContextSettings, Place } from '@tender/http';
import type { Mode } from '@tender/kernel';
import { secretOfKeyFile } from '@tender/transactions';
import type { Quotas } from '@tender/treasury-domain';
import { keyInMemory, type FeeKey } from './fee-key';

/** Nest injection token. */
export const TREASURY_SETTINGS = 'tender:treasury-settings';

export interface TreasurySettings {
  /** Null: fees are not sponsored in this mode. */
  readonly sponsors: Readonly<Record<Mode, FeeKey | null>>;
  readonly quotas: Quotas;
  readonly payouts: PayoutSettings;
  /** Where merchants allow something by a passkey; without a slash at the end. */
  readonly approval_url: string;
}

/** What outgoing transfers are paid from: never the sponsors. */
export interface PayoutSettings {
  /** Null: nothing leaves an operating wallet in this mode. */
  readonly keys: Readonly<Record<Mode, FeeKey | null>>;
  readonly lamports_day: bigint;
}

const MOST = 1_000_000_000;

export const treasurySettings: ContextSettings<TreasurySettings> = {
  token: TREASURY_SETTINGS,
  read: (env, place) => ({
    sponsors: keysOf(SPONSOR_KEY_FILES, env, place),
    quotas: {
      per_wallet_day: readWholeNumber(env, 'SPONSOR_PER_WALLET_DAY', 20, 0, MOST),
      per_address_hour: readWholeNumber(env, 'SPONSOR_PER_IP_HOUR', 100, 0, MOST),
      per_merchant_day: readWholeNumber(env, 'SPONSOR_PER_MERCHANT_DAY', 1_000, 0, MOST),
      lamports_day: lamports(env, 'SPONSOR_LAMPORTS_DAY', 1_000_000_000),
    },
    payouts: {
      keys: keysOf(PAYOUT_FEE_KEY_FILES, env, place),
      lamports_day: lamports(env, 'PAYOUT_FEE_LAMPORTS_DAY', 5_000_000_000),
    },
    get approval_url() {
      return place.approval_url;
    },
  }),
};

const lamports = (env: Env, setting: string, usual: number): bigint =>
  BigInt(readWholeNumber(env, setting, usual, 0, Number.MAX_SAFE_INTEGER));

type OfModes<Value> = Readonly<Record<Mode, Value>>;

const keysOf = (settings: OfModes<string>, env: Env, place: Place): OfModes<FeeKey | null> => ({
  test: keyOf(settings.test, env, place),
  live: keyOf(settings.live, env, place),
});

/** The key of the file that is named. */
function keyOf(setting: string, env: Env, place: Place): FeeKey | null {
  const file = env[setting];
  if (!file) return null;
  const secret = secretOfKeyFile(place.secretFile(setting, file));
  if (secret) return keyInMemory(secret);
  throw new SettingsFault(
    `${setting} names ${file}, which holds no key: it takes what solana-keygen writes.`,
  );
}
