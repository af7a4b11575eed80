import { SPONSOR_KEY_FILES } from '@tender/contracts';
import { readWholeNumber, SettingsFault, type Env } from '@tender/eventing';
import type { ContextSettings, Place } from '@tender/http';
import type { Mode } from '@tender/kernel';
import { secretOfKeyFile } from '@tender/transactions';
import type { Quotas } from '@tender/treasury-domain';
import { keyInMemory, type SponsorKey } from './sponsor/sponsor-key';

/** Nest injection token. */
export const TREASURY_SETTINGS = 'tender:treasury-settings';

export interface TreasurySettings {
  /** Null: fees are not sponsored in this mode. */
  readonly sponsors: Readonly<Record<Mode, SponsorKey | null>>;
  readonly quotas: Quotas;
}

const MOST = 1_000_000_000;

export const treasurySettings: ContextSettings<TreasurySettings> = {
  token: TREASURY_SETTINGS,
  read: (env, place) => ({
    sponsors: { test: sponsorOf('test', env, place), live: sponsorOf('live', env, place) },
    quotas: {
      per_wallet_day: readWholeNumber(env, 'SPONSOR_PER_WALLET_DAY', 20, 0, MOST),
      per_address_hour: readWholeNumber(env, 'SPONSOR_PER_IP_HOUR', 100, 0, MOST),
      per_merchant_day: readWholeNumber(env, 'SPONSOR_PER_MERCHANT_DAY', 1_000, 0, MOST),
      lamports_day: BigInt(
        readWholeNumber(env, 'SPONSOR_LAMPORTS_DAY', 1_000_000_000, 0, Number.MAX_SAFE_INTEGER),
      ),
    },
  }),
};

/** The key of the file that is named. */
function sponsorOf(mode: Mode, env: Env, place: Place): SponsorKey | null {
  const setting = SPONSOR_KEY_FILES[mode];
  const file = env[setting];
  if (!file) return null;
  const secret = secretOfKeyFile(place.secretFile(setting, file));
  if (secret) return keyInMemory(secret);
  throw new SettingsFault(
    `${setting} names ${file}, which holds no key: it takes what solana-keygen writes.`,
  );
}
