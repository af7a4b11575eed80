import { PublicKey } from '@solana/web3.js';
import { TOKEN_ACCOUNT_PROGRAM, TOKEN_PROGRAM } from '@tender/transactions';

const TOKENS = new PublicKey(TOKEN_PROGRAM);
const TOKEN_ACCOUNTS = new PublicKey(TOKEN_ACCOUNT_PROGRAM);

/** Where a wallet receives a classic token; off-curve owners (MPC, programs) included. About 1 ms. */
export function associatedTokenAccount(owner: PublicKey, mint: PublicKey): PublicKey {
  const seeds = [owner.toBuffer(), TOKENS.toBuffer(), mint.toBuffer()];
  return PublicKey.findProgramAddressSync(seeds, TOKEN_ACCOUNTS)[0];
}
