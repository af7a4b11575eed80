import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { LocalChain, Runtime } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import { keptText, type AppParts } from '@tender/runtime';
import { TREASURY_SETTINGS, type TreasurySettings } from '@tender/treasury-features';

/** Addresses of those who pay the fees of gasless payments; null where fees are not sponsored. */
export type Sponsors = Readonly<Record<Mode, string | null>>;

/** Lamports: thousands of payments. */
const FUNDS = 10_000_000_000n;
const ENOUGH = FUNDS / 10n;

/** 32 bytes that were made at the first start, in a file that its owner alone can read. */
export function keptSecret(data_dir: string, name: string): Uint8Array {
  const file = path.join(data_dir, `${name}-key`);
  return Buffer.from(keptText(file, () => randomBytes(32).toString('base64')), 'base64');
}

/** What the settings of treasury say. */
export function sponsorsOf(settings: AppParts['providers']): Sponsors {
  const found = settings.find(
    (provider) => typeof provider === 'object' && provider.provide === TREASURY_SETTINGS,
  ) as { readonly useValue: TreasurySettings };
  const { test, live } = found.useValue.sponsors;
  return { test: test?.address ?? null, live: live?.address ?? null };
}

/** On local chains money is free: the sponsors get what they need. Without it gasless payments are unavailable. */
export async function fundSponsors(
  { chains, log }: Pick<Runtime, 'chains' | 'log'>,
  local: LocalChain,
  sponsors: Sponsors,
): Promise<void> {
  const fund = async (mode: Mode): Promise<void> => {
    const address = sponsors[mode];
    if (address === null) return;
    const [account] = await chains[mode].accounts([address]);
    if ((account?.lamports ?? 0n) < ENOUGH) await local.faucet(mode, address, 'SOL', FUNDS);
  };
  const warn = (error: unknown): void => {
    log.warn({ err: error }, 'a sponsor of fees got no funds: gasless payments are unavailable');
  };
  await Promise.all(MODES.map((mode) => fund(mode).catch(warn)));
}
