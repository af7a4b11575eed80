import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair, PublicKey } from '@solana/web3.js';
import type { Mode } from '@tender/kernel';
import bs58 from 'bs58';
import {
  ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM, writeMint, writeTokenAccount,
} from '../wire/token-layout';
import type { Vm } from './vm';

export type MintName = 'USDC' | 'USDT';
export type Mints = Readonly<Record<MintName, string>>;

const MAINNET_MINTS: Mints = {
  USDC: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  USDT: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
};
/** Where devnet and mainnet have them: a local run's configuration is that of a run outside. Devnet has no USDT. */
export const MINTS: Readonly<Record<Mode, Mints>> = {
  test: { USDC: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', USDT: MAINNET_MINTS.USDT },
  live: MAINNET_MINTS,
};
const MINT_DECIMALS = 6;

const SOL = 1_000_000_000n;
/** Below 2^53 lamports: the RPC's balances are JSON numbers. */
const FAUCET_LAMPORTS = 8_000_000n * SOL;
const FEE_PAYER_LAMPORTS = 1_000n * SOL;
const DEMO_LAMPORTS = 10n * SOL;
const DEMO_TOKENS = 10_000n * 10n ** BigInt(MINT_DECIMALS);

export const WALLETS = ['faucet', 'fee_payer', 'demo_customer', 'demo_merchant'] as const;
export type WalletName = (typeof WALLETS)[number];

interface GenesisFile {
  readonly genesis_hash: string;
  /** The ledger's time of the first block, in milliseconds since 1970. */
  readonly started_ms: number;
  /** Of a folder that has none, from before networks differed: mainnet's. */
  readonly mints?: Mints;
  /** base58 secret keys of throw-away wallets: worthless outside this folder. */
  readonly wallets: Readonly<Record<WalletName, string>>;
}

export interface Genesis {
  readonly hash: string;
  readonly startedMs: number;
  readonly mints: Mints;
  readonly wallets: Readonly<Record<WalletName, Keypair>>;
}

export const FIRST_SLOT = 1_000;
/** Heights lag behind slots, as on a real chain: code that mixes them up fails here too. */
const HEIGHT_LAG = 300;
export const heightOf = (slot: number): number => slot - HEIGHT_LAG;

/** The ledger's own identity: read from its folder, or drawn by lot for a new one. */
export function openGenesis(folder: string, startedMs: number, mints: Mints): Genesis {
  const path = join(folder, 'genesis.json');
  if (!existsSync(path)) {
    const wallets = WALLETS.map((name) => [name, bs58.encode(Keypair.generate().secretKey)]);
    const file: GenesisFile = {
      genesis_hash: bs58.encode(randomBytes(32)),
      started_ms: startedMs,
      mints,
      wallets: Object.fromEntries(wallets) as GenesisFile['wallets'],
    };
    writeFileSync(`${path}.tmp`, JSON.stringify(file, null, 2), { mode: 0o600, flush: true });
    renameSync(`${path}.tmp`, path);
  }
  const file = JSON.parse(readFileSync(path, 'utf8')) as GenesisFile;
  const wallets = WALLETS.map((name) => {
    return [name, Keypair.fromSecretKey(bs58.decode(file.wallets[name]))];
  });
  return {
    hash: file.genesis_hash,
    startedMs: file.started_ms,
    mints: file.mints ?? MAINNET_MINTS,
    wallets: Object.fromEntries(wallets) as Genesis['wallets'],
  };
}

/** The associated token account of a wallet, for the classic token program. */
export function associatedAccount(owner: string, mint: string): string {
  const seeds = [owner, TOKEN_PROGRAM, mint].map((key) => new PublicKey(key).toBytes());
  const program = new PublicKey(ASSOCIATED_TOKEN_PROGRAM);
  return PublicKey.findProgramAddressSync(seeds, program)[0].toBase58();
}

/** The accounts of block 0. Same genesis, same accounts: replay may start from here. */
export function plantGenesis(vm: Vm, genesis: Genesis): void {
  const address = (name: WalletName) => genesis.wallets[name].publicKey.toBase58();
  const plant = (where: string, owner: string, data: Buffer, lamports: bigint) =>
    vm.setAccount(where, { lamports, owner, data, executable: false });

  const nothing = Buffer.alloc(0);
  plant(address('faucet'), SYSTEM_PROGRAM, nothing, FAUCET_LAMPORTS);
  plant(address('fee_payer'), SYSTEM_PROGRAM, nothing, FEE_PAYER_LAMPORTS);
  plant(address('demo_customer'), SYSTEM_PROGRAM, nothing, DEMO_LAMPORTS);
  plant(address('demo_merchant'), SYSTEM_PROGRAM, nothing, DEMO_LAMPORTS);

  for (const mint of Object.values(genesis.mints)) {
    const authority = address('faucet');
    const supply = DEMO_TOKENS;
    const mintData = writeMint({ authority, decimals: MINT_DECIMALS, supply });
    plant(mint, TOKEN_PROGRAM, mintData, vm.rentExemption(mintData.length));
    for (const [name, amount] of [['demo_customer', DEMO_TOKENS], ['demo_merchant', 0n]] as const) {
      const owner = address(name);
      const data = writeTokenAccount({ mint, owner, amount });
      plant(associatedAccount(owner, mint), TOKEN_PROGRAM, data, vm.rentExemption(data.length));
    }
  }
}
