import { mintTransaction, airdropTransaction } from '../ledger/faucet';
import { associatedAccount, WALLETS, type MintName } from '../ledger/genesis';
import {
  readMint, readTokenAccount, SYSTEM_PROGRAM, TOKEN_PROGRAM, writeTokenAccount,
} from '../wire/token-layout';
import bs58 from 'bs58';
import type { ChainNode, MethodTable } from './chain-node';
import { controlFields } from './control-fields';
import { addressOf, bytesOf, integerOf, type Fields } from './params';
import { invalidParams } from './rpc-error';
import { sendDecoded } from './sending-methods';
import { timeMethods } from './time-methods';

const FAILURE_CODE = -32603;
const U64_MAX = 2n ** 64n - 1n;
const LAG_SLOTS_MAX = 1_000_000;
/** A longer timer ends at once. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/** Base units: a decimal string, or a JSON number that is exact. */
export function baseUnits(value: unknown): bigint {
  const text = typeof value === 'number' ? String(integerOf(value, 'amount')) : value;
  if (typeof text !== 'string' || !/^\d{1,20}$/.test(text) || BigInt(text) > U64_MAX) {
    throw invalidParams('Invalid params: amount is a string of base units');
  }
  return BigInt(text);
}

function mintNameOf(value: unknown): MintName {
  if (value === 'USDC' || value === 'USDT') return value;
  throw invalidParams('Invalid params: token is USDC or USDT');
}

async function faucet(node: ChainNode, fields: Fields): Promise<{ signature: string }> {
  const wallet = addressOf(fields['address']);
  const amount = baseUnits(fields['amount']);
  const { ledger } = node;
  const transaction =
    fields['token'] === 'SOL'
      ? airdropTransaction(ledger, wallet, amount)
      : mintTransaction(ledger, wallet, mintNameOf(fields['token']), amount);
  return { signature: await sendDecoded(node, transaction, false) };
}

/** Sets the balance without a transaction; the mint's supply follows, so that the sum holds. */
function setTokenBalance({ ledger }: ChainNode, fields: Fields): { account: string } {
  const owner = addressOf(fields['address']);
  const mintAddress = ledger.genesis.mints[mintNameOf(fields['token'])];
  const amount = baseUnits(fields['amount']);
  const address = associatedAccount(owner, mintAddress);
  const { vm } = ledger;
  const existing = vm.account(address);
  const before = (existing && readTokenAccount(existing.owner, existing.data)?.amount) ?? 0n;
  const mint = vm.account(mintAddress);
  const supply = mint && readMint(mint.owner, mint.data)?.supply;
  const after = (supply ?? 0n) - before + amount;
  if (after > U64_MAX) throw invalidParams('Invalid params: there is no such supply');
  const data = writeTokenAccount({ mint: mintAddress, owner, amount });
  const lamports = vm.rentExemption(data.length);
  ledger.setAccount(address, { lamports, owner: TOKEN_PROGRAM, data, executable: false });
  if (mint && typeof supply === 'bigint') {
    const mintData = Buffer.from(mint.data);
    mintData.writeBigUInt64LE(after < 0n ? 0n : after, 36);
    ledger.setAccount(mintAddress, { ...mint, data: mintData });
  }
  return { account: address };
}

function setAccount({ ledger }: ChainNode, fields: Fields): boolean {
  const { data = '', owner = SYSTEM_PROGRAM, executable = false } = fields;
  ledger.setAccount(addressOf(fields['address']), {
    lamports: baseUnits(fields['lamports']),
    owner: addressOf(owner),
    data: bytesOf(data, 'base64'),
    executable: executable === true,
  });
  return true;
}

/** A final one: what is sent before it, and what is none, would leave the caller waiting. */
function httpStatusOf(value: unknown): number {
  const status = integerOf(value, 'http_status');
  if (status < 200 || status > 599) throw invalidParams('Invalid params: http_status is 200 to 599');
  return status;
}

/** A number up to a limit. */
function integerUpTo(value: unknown, name: string, max: number): number {
  const number = integerOf(value, name);
  if (number > max) throw invalidParams(`Invalid params: ${name} is at most ${max}`);
  return number;
}

function failRpc({ faults }: ChainNode, fields: Fields): boolean {
  const { method, count = 1, http_status: status = null, code = FAILURE_CODE } = fields;
  if (typeof method !== 'string') throw invalidParams('Invalid params: method is a name or *');
  if (typeof code !== 'number') throw invalidParams('Invalid params: code is a number');
  const left = integerOf(count, 'count');
  const httpStatus = status === null ? null : httpStatusOf(status);
  if (left === 0) faults.failures.delete(method);
  else faults.failures.set(method, { left, httpStatus, code });
  return true;
}

const stats = ({ ledger, requests, openWebsockets }: ChainNode) => ({
  requests: Object.fromEntries(requests),
  open_websockets: openWebsockets(),
  slot: ledger.touch(),
  transactions: ledger.history.size,
  offset_ms: ledger.offsetMs,
  now_ms: ledger.now(),
  rss_bytes: process.memoryUsage().rss,
});

/** Switches that only this chain has. Whatever they change survives a crash once they answered. */
export const controlMethods: MethodTable = {
  ...timeMethods,
  localnet_faucet: (node, params) =>
    faucet(node, controlFields(params, ['address', 'token', 'amount'])),
  localnet_setAccount: (node, params) =>
    setAccount(node, controlFields(params, ['address', 'lamports', 'owner', 'data'])),
  localnet_setTokenBalance: (node, params) =>
    setTokenBalance(node, controlFields(params, ['address', 'token', 'amount'])),
  localnet_dropNextSend: ({ faults }, params) => {
    faults.dropSends = integerOf(controlFields(params, ['count'])['count'] ?? 1, 'count');
    return true;
  },
  localnet_delayRpc: ({ faults }, params) => {
    const { ms } = controlFields(params, ['ms']);
    faults.delayMs = integerUpTo(ms, 'ms', DELAY_MS_MAX);
    return true;
  },
  localnet_failRpc: (node, params) =>
    failRpc(node, controlFields(params, ['method', 'count', 'http_status', 'code'])),
  localnet_dropWebsockets: (node) => ({ dropped: node.dropWebsockets() }),
  localnet_lagNode: ({ ledger }, params) => {
    const { slots } = controlFields(params, ['slots']);
    ledger.lagSlots = integerUpTo(slots, 'slots', LAG_SLOTS_MAX);
    return true;
  },
  localnet_stats: (node) => stats(node),
  localnet_wallets: ({ ledger }) =>
    Object.fromEntries(
      WALLETS.map((name) => {
        const { publicKey, secretKey } = ledger.genesis.wallets[name];
        return [name, { address: publicKey.toBase58(), secret_key: bs58.encode(secretKey) }];
      }),
    ),
};
