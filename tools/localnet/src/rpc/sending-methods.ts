import type { Simulation } from '../ledger/vm';
import { ageError } from '../ledger/transaction-age';
import { allKeysOf } from '../ledger/execute-transaction';
import { airdropTransaction } from '../ledger/faucet';
import { errorSentence, type TransactionError } from '../ledger/vm-errors';
import { heightOf } from '../ledger/genesis';
import {
  decodeTransaction, WIRE_BYTES_MAX, type DecodedTransaction,
} from '../wire/decoded-transaction';
import { withContext, type ChainNode, type MethodTable } from './chain-node';
import { addressOf, bytesOf, commitmentOf, fieldsOf, integerOf, listOf } from './params';
import { accountFormOf, renderAccount, type AccountForm } from './render-account';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error';

const ACCOUNTS_MAX = 100;
const NOTHING_RAN = { logs: [], inner: [], computeUnits: 0, returnData: null };

function transactionOf(value: unknown, encoding: unknown): DecodedTransaction {
  const bytes = bytesOf(value, encoding);
  if (bytes.length > WIRE_BYTES_MAX) {
    throw invalidParams(
      `${encoding === 'base64' ? 'base64' : 'base58'} encoded solana_transaction::versioned::` +
        `VersionedTransaction too large: ${bytes.length} bytes ` +
        `(max: encoded/raw 1644/${WIRE_BYTES_MAX})`,
    );
  }
  try {
    return decodeTransaction(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidParams(`failed to deserialize solana_transaction: ${reason}`);
  }
}

/** What simulateTransaction and preflight find out; nothing changes. */
function simulate(
  { ledger }: ChainNode,
  decoded: DecodedTransaction,
  verifySignatures: boolean,
): Simulation {
  const refused = (error: TransactionError) => ({
    ...NOTHING_RAN,
    error,
    accountsAfter: new Map(),
  });
  const tooOld = ageError(ledger, decoded);
  if (tooOld) return refused(tooOld);
  if (!allKeysOf(ledger.vm, decoded)) return refused('AddressLookupTableNotFound');
  return ledger.simulate(decoded.wire, verifySignatures);
}

function preflightError({ error, logs, computeUnits, returnData }: Simulation): RpcError {
  if (error === 'SignatureFailure') {
    const message = 'Transaction signature verification failure';
    return new RpcError(RPC_CODES.signatureVerificationFailure, message);
  }
  const sentence = `Transaction simulation failed: ${errorSentence(error ?? '')}`;
  return new RpcError(RPC_CODES.preflightFailure, sentence, {
    accounts: null,
    err: error,
    innerInstructions: null,
    logs,
    returnData: renderReturnData(returnData),
    unitsConsumed: computeUnits,
  });
}

const renderReturnData = (returned: Simulation['returnData']) =>
  returned && { programId: returned.programId, data: [returned.data, 'base64'] };

/** Lands a transaction, and answers only when it would survive a crash. */
export async function sendDecoded(
  node: ChainNode,
  decoded: DecodedTransaction,
  skipPreflight: boolean,
): Promise<string> {
  const { ledger, faults } = node;
  if (!skipPreflight) {
    const simulation = simulate(node, decoded, true);
    if (simulation.error !== null) throw preflightError(simulation);
  }
  if (faults.takeDroppedSend()) return decoded.signature;
  const entry = ageError(ledger, decoded) ? null : ledger.land(decoded);
  // Also for a repeat: its first sending may still be on the way to the disk.
  await ledger.durable();
  if (entry) ledger.announce(entry);
  return decoded.signature;
}

/** Transactions on their way in. */
export const sendingMethods: MethodTable = {
  sendTransaction: (node, [bytes, config]) => {
    const fields = fieldsOf(config);
    const decoded = transactionOf(bytes, fields['encoding']);
    return sendDecoded(node, decoded, fields['skipPreflight'] === true);
  },
  requestAirdrop: (node, [address, lamports]) => {
    const amount = BigInt(integerOf(lamports, 'lamports'));
    const transaction = airdropTransaction(node.ledger, addressOf(address), amount);
    return sendDecoded(node, transaction, false);
  },
  simulateTransaction: (node, [bytes, config]) => {
    const fields = fieldsOf(config);
    const { sigVerify = false, replaceRecentBlockhash = false } = fields;
    if (sigVerify === true && replaceRecentBlockhash === true) {
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    }
    const wanted = wantedAccounts(fields['accounts']);
    let decoded = transactionOf(bytes, fields['encoding']);
    const { ledger } = node;
    const newest = ledger.newestSlot('processed');
    const blockhash = ledger.hashes.of(newest);
    if (replaceRecentBlockhash === true) {
      decoded.message.recentBlockhash = blockhash;
      decoded = decodeTransaction(decoded.transaction.serialize());
    }
    const simulation = simulate(node, decoded, sigVerify === true);
    if (simulation.error === 'SignatureFailure') throw preflightError(simulation);
    const lastValidBlockHeight = heightOf(newest) + ledger.settings.blockhashBlocks;
    return withContext(node, commitmentOf(fields), {
      err: simulation.error,
      accounts: wanted && accountsAfter(node, simulation, wanted),
      logs: simulation.logs,
      unitsConsumed: simulation.computeUnits,
      returnData: renderReturnData(simulation.returnData),
      innerInstructions: fields['innerInstructions'] === true ? simulation.inner : null,
      ...(replaceRecentBlockhash === true
        ? { replacementBlockhash: { blockhash, lastValidBlockHeight } }
        : {}),
    });
  },
};

interface WantedAccounts {
  readonly addresses: readonly string[];
  readonly form: AccountForm;
}

/** The `accounts` of simulateTransaction; null when none are wanted. */
function wantedAccounts(config: unknown): WantedAccounts | null {
  if (config === undefined) return null;
  const { addresses, encoding } = fieldsOf(config);
  const form = accountFormOf(encoding === undefined ? {} : { encoding }, 'base64');
  if (form.encoding === 'binary' || form.encoding === 'base58') {
    throw invalidParams('base58 encoding not supported');
  }
  return { addresses: listOf(addresses, ACCOUNTS_MAX).map(addressOf), form };
}

function accountsAfter(
  { ledger }: ChainNode,
  { accountsAfter: after }: Simulation,
  { addresses, form }: WantedAccounts,
) {
  return addresses.map((address) =>
    renderAccount(ledger.vm, after.get(address) ?? ledger.vm.account(address), form),
  );
}
