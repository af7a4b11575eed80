import type { Admission } from '@tender/adapter-solana';
import type { Chain } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { RPC_URL_SETTINGS } from './settings/rpc-settings';

/** Addresses of the mints. */
export type Mints = Chain['mints'];

interface KnownNetwork {
  readonly network: Chain['network'];
  readonly genesis_hash: string;
  readonly mints: Mints;
}

export const MAINNET: KnownNetwork = {
  network: 'mainnet-beta',
  genesis_hash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  mints: {
    USDC: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    USDT: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
  },
};
export const DEVNET: KnownNetwork = {
  network: 'devnet',
  genesis_hash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  // USDT has no official mint there.
  mints: { USDC: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', USDT: MAINNET.mints.USDT },
};

export const knownNetwork = (genesis_hash: string | null): KnownNetwork | null =>
  [MAINNET, DEVNET].find((one) => one.genesis_hash === genesis_hash) ?? null;

/** What the settings say of a mode's chain outside. */
export interface NetworkRules {
  readonly mode: Mode;
  /** The one that it must be; null where any is taken. */
  readonly must_be: string | null;
  /** The chain of the other mode, where the settings tell it. */
  readonly must_not_be: string | null;
  readonly mints: Mints;
  /** The mints were set, not assumed. */
  readonly mints_set: boolean;
}

/**
 * Whether a mode takes the network of that genesis hash (specification §2.15), by the settings alone: every process
 * comes to the same answer. A refusal says what to do about it.
 */
export function admitNetwork(rules: NetworkRules, genesis_hash: string): Admission {
  const refused = refusalOf(rules, genesis_hash);
  if (refused !== null) return { refused };
  return { network: knownNetwork(genesis_hash)?.network ?? 'localnet' };
}

function refusalOf(rules: NetworkRules, genesis_hash: string): string | null {
  const { mode, must_be, must_not_be } = rules;
  const known = knownNetwork(genesis_hash);
  const found = `${RPC_URL_SETTINGS[mode]} leads to ${known?.network ?? 'an unknown network'}`;
  const leads = `${found} (genesis hash ${genesis_hash})`;
  if (genesis_hash === must_not_be) {
    return `${leads}, the chain of ${mode === 'test' ? 'live' : 'test'} mode: the two never share one. ` +
      'Name a node of another network.';
  }
  if (must_be !== null && genesis_hash !== must_be) {
    const taken = knownNetwork(must_be)?.network ?? `genesis hash ${must_be}`;
    return `${leads}; live takes ${taken}. Name a node of that network, or set ` +
      `SOLANA_GENESIS_LIVE=${genesis_hash} if this one is meant.`;
  }
  return mintsRefusal(rules, known, leads);
}

function mintsRefusal(
  { mode, mints, mints_set }: NetworkRules,
  known: KnownNetwork | null,
  leads: string,
): string | null {
  const [usdc, usdt] = MINT_SETTINGS[mode];
  if (!known) {
    return mints_set ? null : `${leads}: set ${usdc} and ${usdt} to the mints that it has.`;
  }
  const { USDC, USDT } = known.mints;
  if (mints.USDC === USDC && mints.USDT === USDT) return null;
  return mints_set
    ? `${leads}, whose mints are known: unset ${usdc} and ${usdt}, which name others.`
    : `${leads}: set ${usdc}=${USDC} and ${usdt}=${USDT} if it is meant.`;
}

export const MINT_SETTINGS = {
  test: ['USDC_MINT_TEST', 'USDT_MINT_TEST'],
  live: ['USDC_MINT_LIVE', 'USDT_MINT_LIVE'],
} as const;
