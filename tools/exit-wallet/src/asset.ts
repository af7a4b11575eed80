import { TOKEN_DECIMALS } from '@tender/kernel';
import { associatedTokenAccount, TOKEN_PROGRAM, USD_MINTS } from '@tender/transactions';
import { ExitFault } from './exit-fault';
import type { Account, SolanaNode } from './node';

const MINT_BYTES = 82;
const DECIMALS_AT = 44;
const AMOUNT_AT = 64;
const TOKEN_ACCOUNT_BYTES = 165;

/** What leaves the wallet. */
export interface Asset {
  readonly name: string;
  readonly decimals: number;
  /** Null: SOL. */
  readonly token: { readonly mint: string; readonly source: string } | null;
  /** Base units that the wallet has. */
  readonly balance: bigint;
}

/** What the wallet has of a token on the network of this node. Throws `ExitFault` where it has none of it. */
export async function assetOf(node: SolanaNode, wallet: string, name: string): Promise<Asset> {
  if (name === 'SOL') {
    const [account] = await node.accounts([wallet]);
    return { name, decimals: TOKEN_DECIMALS.SOL, token: null, balance: account?.lamports ?? 0n };
  }
  const mints = name === 'USDC' || name === 'USDT' ? USD_MINTS[name] : [name];
  const sources = mints.map((mint) => associatedTokenAccount(wallet, mint));
  const found = await node.accounts([...mints, ...sources]);
  const there = mints
    .map((mint, place) => ({ mint, place, account: found[place] ?? null }))
    .filter(({ account }) => isMint(account));
  if (there.length === 0) {
    throw new ExitFault(
      `The network of this node has no ${name} (${mints.join(', ')}): is --rpc a node of the network that the money is on?`,
    );
  }
  for (const { mint, place, account } of there) {
    const held = found[mints.length + place] ?? null;
    if (!isTokenAccount(held)) continue;
    return {
      ...{ name, decimals: (account as Account).data.readUInt8(DECIMALS_AT) },
      ...{ token: { mint, source: sources[place] as string } },
      balance: held.data.readBigUInt64LE(AMOUNT_AT),
    };
  }
  throw new ExitFault(`The wallet ${wallet} has no ${name} on the network of this node.`);
}

const isMint = (account: Account | null): boolean =>
  account?.owner === TOKEN_PROGRAM && account.data.length === MINT_BYTES;

export const isTokenAccount = (account: Account | null): account is Account =>
  account?.owner === TOKEN_PROGRAM && account.data.length === TOKEN_ACCOUNT_BYTES;
export { TOKEN_ACCOUNT_BYTES };
