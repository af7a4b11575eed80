import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const KEYS_EACH = 14;
const LOG_LINES = 34;
const DECIMALS = 6;

const key = (): string => bs58.encode(randomBytes(32));
const signature = (): string => bs58.encode(randomBytes(64));

/** Transactions as `getBlock` with `encoding: json` shows them: about 5.6 KB each, of strangers. */
export function syntheticTransactions(count: number): string {
  const mint = key();
  return Array.from({ length: count }, () => JSON.stringify(strangersTransfer(mint))).join(',');
}

function strangersTransfer(mint: string): object {
  const accountKeys = Array.from({ length: KEYS_EACH }, key);
  accountKeys[KEYS_EACH - 1] = TOKEN_PROGRAM;
  const instruction = () => ({
    programIdIndex: KEYS_EACH - 1,
    accounts: [1, 2, 3, 4, 5],
    data: bs58.encode(randomBytes(24)),
    stackHeight: null,
  });
  const balances = Array.from({ length: KEYS_EACH }, (_, index) => 1_000_000 + index);
  const held = (accountIndex: number, amount: string) =>
    tokenBalance({ accountIndex, mint, owner: accountKeys[accountIndex + 3] as string, amount });
  return {
    version: 'legacy',
    transaction: {
      signatures: [signature()],
      message: {
        header: headerOf(4),
        accountKeys,
        recentBlockhash: key(),
        instructions: [instruction(), instruction(), instruction()],
      },
    },
    meta: {
      err: null,
      status: { Ok: null },
      fee: 5_000,
      preBalances: balances,
      postBalances: balances,
      preTokenBalances: [held(1, '5000000'), held(2, '0')],
      postTokenBalances: [held(1, '4000000'), held(2, '1000000')],
      innerInstructions: [{ index: 0, instructions: [instruction(), instruction()] }],
      logMessages: Array.from({ length: LOG_LINES }, (_, line) => {
        return `Program ${accountKeys[line % KEYS_EACH]} consumed ${line * 97} of 200000 units`;
      }),
      loadedAddresses: { writable: [], readonly: [] },
      computeUnitsConsumed: 24_571,
      rewards: null,
    },
  };
}

const headerOf = (readonly_programs: number) => ({
  numRequiredSignatures: 1,
  numReadonlySignedAccounts: 0,
  numReadonlyUnsignedAccounts: readonly_programs,
});

interface Holding {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  /** Base units. */
  readonly amount: string;
}

function tokenBalance({ accountIndex, mint, owner, amount }: Holding): object {
  const uiTokenAmount = {
    amount,
    decimals: DECIMALS,
    uiAmount: Number(amount) / 1e6,
    uiAmountString: String(Number(amount) / 1e6),
  };
  return { accountIndex, mint, owner, programId: TOKEN_PROGRAM, uiTokenAmount };
}

export interface Transfer {
  readonly mint: string;
  /** The merchant's wallet and its token account. */
  readonly recipient: string;
  readonly account: string;
  readonly reference: string;
  /** Base units. */
  readonly amount: string;
}

/** TransferChecked of a token with six decimals, as the token program reads it. */
function transferChecked(amount: string): string {
  const data = Buffer.alloc(10);
  data.writeUInt8(12, 0);
  data.writeBigUInt64LE(BigInt(amount), 1);
  data.writeUInt8(DECIMALS, 9);
  return bs58.encode(data);
}

/** A customer's transfer that pays a payment, as the chain shows it. */
export function payingTransaction(transfer: Transfer): { signature: string; json: string } {
  const [payer, source] = [key(), key()];
  const { mint, recipient, account, reference, amount } = transfer;
  const accountKeys = [payer, source, account, mint, TOKEN_PROGRAM, reference];
  const name = signature();
  const held = (accountIndex: number, owner: string, base_units: string) =>
    tokenBalance({ accountIndex, mint, owner, amount: base_units });
  const instruction = {
    programIdIndex: 4,
    accounts: [1, 3, 2, 0, 5],
    data: transferChecked(amount),
    stackHeight: null,
  };
  const json = JSON.stringify({
    version: 'legacy',
    transaction: {
      signatures: [name],
      message: {
        header: headerOf(3),
        accountKeys,
        recentBlockhash: key(),
        instructions: [instruction],
      },
    },
    meta: {
      err: null,
      status: { Ok: null },
      fee: 5_000,
      preBalances: [1_000_000_000, 2_039_280, 2_039_280, 1, 1, 0],
      postBalances: [999_995_000, 2_039_280, 2_039_280, 1, 1, 0],
      preTokenBalances: [held(1, payer, amount), held(2, recipient, '0')],
      postTokenBalances: [held(1, payer, '0'), held(2, recipient, amount)],
      innerInstructions: [],
      logMessages: [],
      loadedAddresses: { writable: [], readonly: [] },
      computeUnitsConsumed: 105,
      rewards: null,
    },
  });
  return { signature: name, json };
}
