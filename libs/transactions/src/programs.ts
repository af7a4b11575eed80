import type { AccountUse, Instruction } from './message';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_ACCOUNT_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
/** Lighthouse: its asserts, which wallets add, make a transaction fail whose effect is not the one that they showed. */
export const ASSERT_PROGRAM = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';

export const SET_COMPUTE_UNIT_LIMIT = 2;
export const SET_COMPUTE_UNIT_PRICE = 3;
/** Of the program of associated token accounts. */
export const CREATE_IDEMPOTENT = 1;
/** Of the token program. */
export const TRANSFER_CHECKED = 12;
/** Of the System program. */
export const SYSTEM_TRANSFER = 2;

const read = (address: string): AccountUse => ({ address, signer: false, writable: false });
const written = (address: string): AccountUse => ({ address, signer: false, writable: true });
const signing = (address: string): AccountUse => ({ address, signer: true, writable: false });
const paying = (address: string): AccountUse => ({ address, signer: true, writable: true });

export interface ComputeBudget {
  readonly unit_limit: number;
  /** Micro-lamports for each unit of the limit. */
  readonly unit_price: bigint;
}

/** How much a transaction may compute, and what it offers for that beside its signatures. */
export function computeBudget({ unit_limit, unit_price }: ComputeBudget): Instruction[] {
  const limit = Buffer.alloc(5);
  limit.writeUInt8(SET_COMPUTE_UNIT_LIMIT);
  limit.writeUInt32LE(unit_limit, 1);
  const price = Buffer.alloc(9);
  price.writeUInt8(SET_COMPUTE_UNIT_PRICE);
  price.writeBigUInt64LE(unit_price, 1);
  return [limit, price].map((data) => ({ program: COMPUTE_BUDGET_PROGRAM, accounts: [], data }));
}

export interface TokenAccountCreation {
  /** Signs, and pays the rent. */
  readonly payer: string;
  readonly account: string;
  readonly owner: string;
  readonly mint: string;
}

/** Makes the owner's token account where it is missing, and does nothing where it is there. */
export const createTokenAccount = ({
  payer,
  account,
  owner,
  mint,
}: TokenAccountCreation): Instruction => ({
  program: TOKEN_ACCOUNT_PROGRAM,
  accounts: [
    ...[paying(payer), written(account), read(owner), read(mint)],
    ...[read(SYSTEM_PROGRAM), read(TOKEN_PROGRAM)],
  ],
  data: Uint8Array.of(CREATE_IDEMPOTENT),
});

export interface TokenTransfer {
  readonly source: string;
  readonly destination: string;
  /** Owner of the source. */
  readonly owner: string;
  readonly mint: string;
  readonly decimals: number;
  /** Base units. */
  readonly amount: bigint;
}

/** A transfer of a classic token that also names mint and decimals. */
export function transferToken(transfer: TokenTransfer): Instruction {
  const data = Buffer.alloc(10);
  data.writeUInt8(TRANSFER_CHECKED);
  data.writeBigUInt64LE(transfer.amount, 1);
  data.writeUInt8(transfer.decimals, 9);
  const { source, mint, destination, owner } = transfer;
  const accounts = [written(source), read(mint), written(destination), signing(owner)];
  return { program: TOKEN_PROGRAM, accounts, data };
}

/** A transfer of lamports between wallets. */
export function transferSol(from: string, to: string, lamports: bigint): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(SYSTEM_TRANSFER);
  data.writeBigUInt64LE(lamports, 4);
  return { program: SYSTEM_PROGRAM, accounts: [paying(from), written(to)], data };
}

/** The instruction names one more address, which it does not use: who watches that address finds it. */
export const withReference = (instruction: Instruction, reference: string): Instruction => ({
  ...instruction,
  accounts: [...instruction.accounts, read(reference)],
});
