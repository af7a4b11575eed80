import bs58 from 'bs58';
import { SYSTEM_PROGRAM } from '../wire/token-layout';
import type { DecodedTransaction } from '../wire/decoded-transaction';
import type { Ledger } from './ledger';
import type { TransactionError } from './vm-errors';

const ADVANCE_NONCE = 4;
const NONCE_ACCOUNT_BYTES = 80;
const NONCE_OFFSET = 40;

/** Why this transaction may not run now, or null: it has run, or its blockhash is too old. */
export function ageError(ledger: Ledger, decoded: DecodedTransaction): TransactionError | null {
  if (ledger.history.get(decoded.signature)) return 'AlreadyProcessed';
  const { recentBlockhash } = decoded.message;
  if (ledger.slotOfUsableHash(recentBlockhash) !== null) return null;
  return storedNonce(ledger, decoded) === recentBlockhash ? null : 'BlockhashNotFound';
}

/** The nonce that the first instruction advances: it stands in for a recent blockhash. */
function storedNonce(ledger: Ledger, { message, staticKeys }: DecodedTransaction): string | null {
  const first = message.compiledInstructions[0];
  if (!first || staticKeys[first.programIdIndex] !== SYSTEM_PROGRAM) return null;
  const data = Buffer.from(first.data);
  if (data.length < 4 || data.readUInt32LE(0) !== ADVANCE_NONCE) return null;
  const address = staticKeys[first.accountKeyIndexes[0] ?? -1];
  const account = address === undefined ? null : ledger.vm.account(address);
  if (account?.owner !== SYSTEM_PROGRAM || account.data.length !== NONCE_ACCOUNT_BYTES) return null;
  return bs58.encode(account.data.subarray(NONCE_OFFSET, NONCE_OFFSET + 32));
}
