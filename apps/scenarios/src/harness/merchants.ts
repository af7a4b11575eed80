import { randomUUID } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import type { Client } from './client';
import type { RunningProgram } from './running-program';

export interface Merchant {
  readonly id: string;
  readonly email: string;
  readonly wallet: string;
  readonly key: string;
  readonly api: Client;
}

/** A new merchant with a wallet of its own. */
export async function newMerchant(program: RunningProgram, extra: object = {}): Promise<Merchant> {
  const wallet = Keypair.generate().publicKey.toBase58();
  const email = `shop-${randomUUID()}@tender.test`;
  const answer = await program.client().post('/api/v1/merchants', {
    name: 'Corner Shop',
    email,
    business_address: '5 High Street',
    wallet_generation_method: 'external',
    wallet_address: wallet,
    ...extra,
  });
  if (answer.status !== 201) throw new Error(`sign-up answered ${answer.status}: ${answer.text}`);
  const key = answer.json.api_key as string;
  return { id: answer.json.id, email, wallet, key, api: program.client(key) };
}

/** A live key for that merchant, from the admin route. */
export async function liveKey(program: RunningProgram, merchant: Merchant): Promise<Client> {
  const minted = await program
    .admin()
    .post(`/admin/merchants/${merchant.id}/keys`, { mode: 'live', reason: 'go live' });
  if (minted.status !== 201) throw new Error(`the live key was refused: ${minted.text}`);
  return program.client(minted.json.key);
}
