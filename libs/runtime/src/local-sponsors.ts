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

export interface LocalSponsorsOptions {
  readonly env: Env;
  /** Keys that the operator does not bring are kept here. */
  readonly data_dir: string;
  /** The setting that names the key file of each mode. */
  readonly settings: Readonly<Record<Mode, string>>;
}

/** Who pays the fees of gasless payments on the local chains. */
export interface LocalSponsors {
  /** The settings that name their key files. */
  readonly env: Readonly<Record<string, string>>;
  /** The networks with these fee payers: what `environment` tells clients. */
  paidFor<Network extends LocalNetwork>(
    networks: Readonly<Record<Mode, Network>>,
  ): Readonly<Record<Mode, Network>>;
  /** On local chains money is free: they get what they need. Never rejects; without it payments are not gasless. */
  fund(networks: Readonly<Record<Mode, LocalNetwork>>, log: Log): Promise<void>;
}

interface LocalSponsor {
  readonly mode: Mode;
  readonly file: string;
  /** Null where the operator’s file holds no key, which treasury says when it reads it. */
  readonly address: string | null;
}

/** A sponsor for each mode whose chain is local: the key that is set, else one made at the first start. */
export function localSponsors({ env, data_dir, settings }: LocalSponsorsOptions): LocalSponsors {
  const rpc_urls = readRpcUrls(env);
  const local = MODES.filter((mode) => rpc_urls[mode].length === 0);
  const sponsors = local.map((mode): LocalSponsor => {
    const file = env[settings[mode]] || ownKeyFile(data_dir, mode);
    const address = addressOfKeyFile(readSecretFile(settings[mode], file));
    return { mode, file, address };
  });
  const addressOf = (mode: Mode) => sponsors.find((one) => one.mode === mode)?.address ?? null;
  return {
    env: Object.fromEntries(sponsors.map(({ mode, file }) => [settings[mode], file])),
    paidFor: ({ test, live }) => ({
      test: { ...test, fee_payer: addressOf('test') ?? test.fee_payer },
      live: { ...live, fee_payer: addressOf('live') ?? live.fee_payer },
    }),
    async fund(networks, log) {
      const warn = (error: unknown): void => {
        log.warn({ err: error }, 'a sponsor of fees got no funds: gasless payments are unavailable');
      };
      const funding = sponsors.map(async ({ mode, address }) => {
        if (address !== null) await topUp(networks[mode].rpc_url, address, FUNDS);
      });
      await Promise.all(funding.map((one) => one.catch(warn)));
    },
  };
}

/** Its owner alone can read it. */
function ownKeyFile(data_dir: string, mode: Mode): string {
  const file = path.join(data_dir, `sponsor-${mode}-key`);
  keptText(file, () => randomBytes(32).toString('base64'));
  return file;
}
