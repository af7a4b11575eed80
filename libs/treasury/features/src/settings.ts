import { readWholeNumber, SettingsFault, type Env } from '@tender/eventing';
import type { ContextSettings, Place } from '@tender/http';
import type { Mode } from '@tender/kernel';
import type { Quotas } from '@tender/treasury-domain';
import { keyInMemory, secretOfKeyFile, type SponsorKey } from './sponsor/sponsor-key';

/** Nest injection token. */
export const TREASURY_SETTINGS = 'tender:treasury-settings';

export interface TreasurySettings {
  /** Null: fees are not sponsored in this mode. */
  readonly sponsors: Readonly<Record<Mode, SponsorKey | null>>;
  readonly quotas: Quotas;
}

const KEY_FILE_SETTINGS = { test: 'SPONSOR_KEY_FILE_TEST', live: 'SPONSOR_KEY_FILE_LIVE' } as const;
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

/** The key of the file that is named, else one that the program has made for itself where it does. */
function sponsorOf(mode: Mode, env: Env, place: Place): SponsorKey | null {
  const setting = KEY_FILE_SETTINGS[mode];
  const file = env[setting];
  if (!file) {
    const own = place.ownSecret?.(`sponsor-${mode}`);
    return own ? keyInMemory(own) : null;
  }
  const secret = secretOfKeyFile(place.secretFile(setting, file));
  if (secret) return keyInMemory(secret);
  throw new SettingsFault(
    `${setting} names ${file}, which holds no key: it takes what solana-keygen writes.`,
  );
}
