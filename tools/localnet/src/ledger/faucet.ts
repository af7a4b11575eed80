import { randomBytes } from 'node:crypto';
import {
  PublicKey, SystemProgram, Transaction, TransactionInstruction, type AccountMeta,
} from '@solana/web3.js';
import { decodeTransaction, type DecodedTransaction } from '../wire/decoded-transaction';
import {
  ASSOCIATED_TOKEN_PROGRAM, MEMO_PROGRAMS, SYSTEM_PROGRAM, TOKEN_PROGRAM,
} from '../wire/token-layout';
import { associatedAccount, type MintName } from './genesis';
import type { Ledger } from './ledger';

const CREATE_IDEMPOTENT = Buffer.from([1]);
const MINT_TO = 7;

const meta = (address: string, isWritable: boolean, isSigner = false): AccountMeta => ({
  pubkey: new PublicKey(address),
  isWritable,
  isSigner,
});

const instruction = (program: string, keys: AccountMeta[], data: Buffer) =>
  new TransactionInstruction({ programId: new PublicKey(program), keys, data });

function signed(ledger: Ledger, instructions: TransactionInstruction[]): DecodedTransaction {
  const { faucet } = ledger.genesis.wallets;
  const recentBlockhash = ledger.hashes.of(ledger.newestSlot('processed'));
  const transaction = new Transaction({ feePayer: faucet.publicKey, recentBlockhash });
  // Without it, two equal requests in one block would be one transaction.
  const memo = Buffer.from(`faucet ${randomBytes(6).toString('hex')}`);
  transaction.add(...instructions, instruction(MEMO_PROGRAMS[0] ?? '', [], memo));
  transaction.sign(faucet);
  return decodeTransaction(transaction.serialize());
}

/** A real transfer from the faucet, so that it has a history like any other money. */
export function airdropTransaction(
  ledger: Ledger,
  address: string,
  lamports: bigint,
): DecodedTransaction {
  const { faucet } = ledger.genesis.wallets;
  const toPubkey = new PublicKey(address);
  return signed(ledger, [
    SystemProgram.transfer({ fromPubkey: faucet.publicKey, toPubkey, lamports }),
  ]);
}

/** Mints `amount` base units to the wallet's associated account, which it creates when absent. */
export function mintTransaction(
  ledger: Ledger,
  wallet: string,
  token: MintName,
  amount: bigint,
): DecodedTransaction {
  const faucet = ledger.genesis.wallets.faucet.publicKey.toBase58();
  const mint = ledger.genesis.mints[token];
  const account = associatedAccount(wallet, mint);
  const data = Buffer.alloc(9);
  data[0] = MINT_TO;
  data.writeBigUInt64LE(amount, 1);
  return signed(ledger, [
    instruction(
      ASSOCIATED_TOKEN_PROGRAM,
      [
        meta(faucet, true, true), meta(account, true), meta(wallet, false), meta(mint, false),
        meta(SYSTEM_PROGRAM, false), meta(TOKEN_PROGRAM, false),
      ],
      CREATE_IDEMPOTENT,
    ),
    instruction(
      TOKEN_PROGRAM,
      [meta(mint, true), meta(account, true), meta(faucet, false, true)],
      data,
    ),
  ]);
}
