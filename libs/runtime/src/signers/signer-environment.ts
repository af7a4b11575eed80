import type { Env, LocalNetwork } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** The local chains, as a signer must know them. */
export type SignerNetworks = Readonly<
  Record<Mode, Pick<LocalNetwork, 'rpc_url' | 'mints'> & { readonly genesis_hash: string }>
>;

export interface SignerPlace {
  readonly role: 'A' | 'B';
  readonly dir: string;
  readonly url: string;
  /** Without a password: the signer has it. */
  readonly database_url: string;
  /** Public identities, base58. */
  readonly treasury: string;
  readonly peer: string;
  readonly recovery_key: string;
  /** Null where both modes have nodes outside. */
  readonly networks: SignerNetworks | null;
}

/** What the operator may set for both. */
const OF_OPERATORS = ['SIGNER_SOL_USD', 'SIGNER_DAY_LIMIT_USD', 'APPROVAL_URL', 'LOG_LEVEL'];

/** The settings of one signer. None of them is secret: what is lies in its folder. */
export const signerEnvironment = (place: SignerPlace, env: Env): Env => ({
  ...Object.fromEntries(OF_OPERATORS.map((name) => [name, env[name]])),
  SIGNER_ROLE: place.role,
  SIGNER_DIR: place.dir,
  HOST: '127.0.0.1',
  PORT: new URL(place.url).port,
  SIGNER_DATABASE_URL: place.database_url,
  TREASURY_IDENTITY: place.treasury,
  PEER_IDENTITY: place.peer,
  RECOVERY_KEY: place.recovery_key,
  ...chainOf('test', env, place.networks),
  ...chainOf('live', env, place.networks),
});

/** The chain outside that the settings name, else the local one. */
function chainOf(mode: Mode, env: Env, networks: SignerNetworks | null): Env {
  const named = (name: string): string => `${name}_${mode.toUpperCase()}`;
  const [rpc_url, genesis] = [named('SOLANA_RPC_URL'), named('SOLANA_GENESIS')];
  const [usdc, usdt] = [named('USDC_MINT'), named('USDT_MINT')];
  if (env[rpc_url] || !networks) {
    return Object.fromEntries([rpc_url, genesis, usdc, usdt].map((name) => [name, env[name]]));
  }
  const local = networks[mode];
  return {
    [rpc_url]: local.rpc_url,
    [genesis]: local.genesis_hash,
    [usdc]: local.mints.USDC,
    [usdt]: local.mints.USDT,
  };
}
