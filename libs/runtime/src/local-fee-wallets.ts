import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { addressOfKeyFile, topUp } from '@tender/adapter-solana';
import type { Env, LocalNetwork, Log } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import { keptText } from './settings/kept-text';
import { readRpcUrls } from './settings/rpc-settings';
import { readSecretFile } from './settings/secret-file';

/** Lamports: thousands of payments. */
const FUNDS = 10_000_000_000n;

/** Whose fees a wallet pays; its key is kept in `<purpose>-<mode>-key`. */
export type FeePurpose = 'sponsor' | 'payout-fee';

export interface LocalFeeWalletsOptions {
  readonly env: Env;
  /** Keys that the operator does not bring are kept here. */
  readonly data_dir: string;
  /** The settings that name the key files: of gasless payments, and of outgoing transfers. */
  readonly settings: Readonly<Record<FeePurpose, Readonly<Record<Mode, string>>>>;
}

/** Who pays fees on the local chains. */
export interface LocalFeeWallets {
  /** The settings that name their key files. */
  readonly env: Readonly<Record<string, string>>;
  /** The networks with the payers of gasless payments: what `environment` tells clients. */
  paidFor<Network extends LocalNetwork>(
    networks: Readonly<Record<Mode, Network>>,
  ): Readonly<Record<Mode, Network>>;
  /** On local chains money is free: they get what they need. Never rejects; without it they pay for nothing. */
  fund(networks: Readonly<Record<Mode, LocalNetwork>>, log: Log): Promise<void>;
}

interface LocalFeeWallet {
  readonly purpose: FeePurpose;
  readonly mode: Mode;
  readonly setting: string;
  readonly file: string;
  /** Null where the operator’s file holds no key, which treasury says when it reads it. */
  readonly address: string | null;
}

const PURPOSES: readonly FeePurpose[] = ['sponsor', 'payout-fee'];

/** The fee wallets of each mode whose chain is local: the keys that are set, else those made at the first start. */
export function localFeeWallets(options: LocalFeeWalletsOptions): LocalFeeWallets {
  const rpc_urls = readRpcUrls(options.env);
  const local = MODES.filter((mode) => rpc_urls[mode].length === 0);
  const wallets = PURPOSES.flatMap((purpose) =>
    local.map((mode) => feeWallet(options, purpose, mode)),
  );
  const sponsorOf = (mode: Mode) =>
    wallets.find((one) => one.purpose === 'sponsor' && one.mode === mode)?.address ?? null;
  return {
    env: Object.fromEntries(wallets.map(({ setting, file }) => [setting, file])),
    paidFor: ({ test, live }) => ({
      test: { ...test, fee_payer: sponsorOf('test') ?? test.fee_payer },
      live: { ...live, fee_payer: sponsorOf('live') ?? live.fee_payer },
    }),
    async fund(networks, log) {
      const funding = wallets.map(async ({ purpose, mode, address }) => {
        if (address === null) return;
        await topUp(networks[mode].rpc_url, address, FUNDS).catch((error: unknown) => {
          log.warn({ err: error, mode, purpose }, 'a fee wallet got no funds: it pays for nothing');
        });
      });
      await Promise.all(funding);
    },
  };
}

function feeWallet(
  { env, data_dir, settings }: LocalFeeWalletsOptions,
  purpose: FeePurpose,
  mode: Mode,
): LocalFeeWallet {
  const setting = settings[purpose][mode];
  const file = env[setting] || ownKeyFile(data_dir, `${purpose}-${mode}-key`);
  const address = addressOfKeyFile(readSecretFile(setting, file));
  return { purpose, mode, setting, file, address };
}

/** Its owner alone can read it. */
function ownKeyFile(data_dir: string, name: string): string {
  const file = path.join(data_dir, name);
  keptText(file, () => randomBytes(32).toString('base64'));
  return file;
}
