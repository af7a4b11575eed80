import bs58 from 'bs58';
import type { HistoryEntry } from '../ledger/history';
import type { Ledger } from '../ledger/ledger';
import type { TransactionError } from '../ledger/vm-errors';
import { decodeTransaction, type DecodedTransaction } from '../wire/decoded-transaction';
import { decimalsOf } from '../ledger/execute-transaction';
import { integerOf, oneOf, type Fields } from './params';
import { parseInstruction, type DecimalsOf } from './parse-instruction';
import { RPC_CODES, RpcError } from './rpc-error';

type Body = ReturnType<Ledger['body']>;

/** `binary` is base58 in its old form, a bare string. */
const ENCODINGS = ['json', 'jsonParsed', 'base64', 'base58', 'binary'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** How the caller wants transactions. */
export interface Render {
  readonly encoding: Encoding;
  /** Null: the caller only knows legacy transactions. */
  readonly versionMax: number | null;
}

export function renderOf(fields: Fields): Render {
  const { encoding = 'json', maxSupportedTransactionVersion: version } = fields;
  const versionMax =
    version === undefined
      ? null
      : integerOf(version, 'maxSupportedTransactionVersion');
  return { encoding: oneOf(encoding, ENCODINGS, 'encoding'), versionMax };
}

export const statusOf = (error: TransactionError | null) =>
  error === null ? { Ok: null } : { Err: error };

function checkVersion(decoded: DecodedTransaction, { versionMax }: Render) {
  const { version } = decoded.message;
  if (version === 'legacy' || (versionMax !== null && versionMax >= version)) return;
  throw new RpcError(
    RPC_CODES.unsupportedTransactionVersion,
    `Transaction version (${version}) is not supported by the requesting client. ` +
      'Please try the request again with the following configuration parameter: ' +
      `"maxSupportedTransactionVersion": ${version}`,
  );
}

const versionField = ({ message }: DecodedTransaction, { versionMax }: Render) =>
  versionMax === null ? {} : { version: message.version };

/** A transaction as getTransaction and getBlock show it. */
export function renderTransaction(ledger: Ledger, entry: HistoryEntry, render: Render) {
  const body = ledger.body(entry);
  const decoded = decodeTransaction(Buffer.from(body.wire, 'base64'));
  checkVersion(decoded, render);
  return {
    transaction: renderWire(ledger, decoded, body, render.encoding),
    meta: renderMeta(ledger, entry, body, render.encoding),
    ...versionField(decoded, render),
  };
}

/** The same inside a block; `accounts` is getBlock's shorter form. */
export function transactionInBlock(
  ledger: Ledger,
  entry: HistoryEntry,
  render: Render,
  details: 'full' | 'accounts',
) {
  if (details === 'full') return renderTransaction(ledger, entry, render);
  const body = ledger.body(entry);
  const decoded = decodeTransaction(Buffer.from(body.wire, 'base64'));
  checkVersion(decoded, render);
  const { err, status, fee, ...meta } = renderMeta(ledger, entry, body, 'json');
  const { preBalances, postBalances, preTokenBalances, postTokenBalances } = meta;
  const balances = { preBalances, postBalances, preTokenBalances, postTokenBalances };
  return {
    transaction: {
      signatures: decoded.transaction.signatures.map((signature) => bs58.encode(signature)),
      accountKeys: parsedKeys(decoded, body),
    },
    meta: { err, status, fee, ...balances },
    ...versionField(decoded, render),
  };
}

const decimalsFrom =
  (ledger: Ledger): DecimalsOf =>
  (mint) =>
    decimalsOf(ledger.vm, mint);

function renderMeta(ledger: Ledger, entry: HistoryEntry, body: Body, encoding: Encoding) {
  const { keys, staticKeys, loadedWritable } = body;
  const firstReadonly = staticKeys + loadedWritable;
  const inner = body.inner.map(({ index, instructions }) => ({
    index,
    instructions:
      encoding === 'jsonParsed'
        ? instructions.map((instruction) =>
            parseInstruction(
              {
                program: keys[instruction.programIdIndex] ?? '',
                accounts: instruction.accounts.map((account) => keys[account] ?? ''),
                data: Buffer.from(bs58.decode(instruction.data)),
                stackHeight: instruction.stackHeight,
              },
              decimalsFrom(ledger),
            ),
          )
        : instructions,
  }));
  return {
    err: entry.error,
    status: statusOf(entry.error),
    fee: body.fee,
    preBalances: body.preBalances,
    postBalances: body.postBalances,
    innerInstructions: inner,
    logMessages: body.logs,
    preTokenBalances: body.preTokenBalances,
    postTokenBalances: body.postTokenBalances,
    rewards: [],
    computeUnitsConsumed: body.computeUnits,
    ...(body.returnData
      ? { returnData: { ...body.returnData, data: [body.returnData.data, 'base64'] } }
      : {}),
    ...(encoding === 'jsonParsed'
      ? {}
      : {
          loadedAddresses: {
            writable: keys.slice(staticKeys, firstReadonly),
            readonly: keys.slice(firstReadonly),
          },
        }),
  };
}

function parsedKeys({ message }: DecodedTransaction, body: Body) {
  const { keys, staticKeys, loadedWritable } = body;
  return keys.map((pubkey, index) => ({
    pubkey,
    signer: index < message.header.numRequiredSignatures,
    source: index < staticKeys ? 'transaction' : 'lookupTable',
    writable:
      index < staticKeys ? message.isAccountWritable(index) : index < staticKeys + loadedWritable,
  }));
}

function renderWire(
  ledger: Ledger,
  decoded: DecodedTransaction,
  body: Body,
  encoding: Encoding,
): unknown {
  if (encoding === 'base64') return [decoded.wire.toString('base64'), 'base64'];
  if (encoding === 'binary') return bs58.encode(decoded.wire);
  if (encoding === 'base58') return [bs58.encode(decoded.wire), 'base58'];
  const { message, transaction, staticKeys } = decoded;
  const { keys } = body;
  const parsed = encoding === 'jsonParsed';
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } =
    message.header;
  const header = { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts };
  const lookups = message.addressTableLookups.map((lookup) => ({
    accountKey: lookup.accountKey.toBase58(),
    writableIndexes: [...lookup.writableIndexes],
    readonlyIndexes: [...lookup.readonlyIndexes],
  }));
  const instructions = message.compiledInstructions.map((instruction) => {
    const { programIdIndex, accountKeyIndexes } = instruction;
    const data = Buffer.from(instruction.data);
    if (!parsed) {
      const accounts = [...accountKeyIndexes];
      return { programIdIndex, accounts, data: bs58.encode(data), stackHeight: 1 };
    }
    const program = keys[programIdIndex] ?? '';
    const accounts = accountKeyIndexes.map((account) => keys[account] ?? '');
    return parseInstruction({ program, accounts, data, stackHeight: 1 }, decimalsFrom(ledger));
  });
  return {
    signatures: transaction.signatures.map((signature) => bs58.encode(signature)),
    message: {
      ...(parsed ? {} : { header }),
      accountKeys: parsed ? parsedKeys(decoded, body) : staticKeys,
      recentBlockhash: message.recentBlockhash,
      instructions,
      ...(message.version === 0 ? { addressTableLookups: lookups } : {}),
    },
  };
}
