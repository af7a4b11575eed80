import { randomBytes } from 'node:crypto';
import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { base58 } from './address';
import { associatedTokenAccount } from './associated-token-account';

test('a token account has the address that Solana’s own library derives, on a curve or not', () => {
  for (let round = 0; round < 50; round += 1) {
    const [owner, mint] = [base58(randomBytes(32)), base58(randomBytes(32))];
    const theirs = getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(owner), true);
    expect(associatedTokenAccount(owner, mint)).toBe(theirs.toBase58());
  }
});
