import http from 'node:http';
import { gzipSync } from 'node:zlib';
import bs58 from 'bs58';
import type { ChainShown, Pace, ScriptedTransaction, ToChain } from './fake-chain-spec';
import { SignaturesByAddress } from './signatures-by-address';
import { syntheticTransactions } from './synthetic-block';
import { ToldSlots } from './told-slots';

// Solana's JSON-RPC as far as a follower of blocks needs it, over a chain that the bench scripts.
/** Devnet's: it has devnet's mints. */
const GENESIS = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
const HASH = '4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZAMdL4VZHirAn';
const FIRST_SLOT = 1_000;
const STRANGERS = 1_200;

interface Block {
  readonly block_time: number;
  readonly scripted: readonly ScriptedTransaction[];
  readonly strangers: boolean;
}

const strangers = syntheticTransactions(STRANGERS);
// A gzip stream may be several, one after the other: the big part is squeezed once.
const strangersZipped = gzipSync(strangers, { level: 6 });
const blocks = new Map<number, Block>();
const bySignature = new Map<string, { slot: number; transaction: ScriptedTransaction }>();
const byAddress = new SignaturesByAddress();
const visible: Record<string, number> = {};
let pace: Pace = { slot_ms: 400, strangers: 0 };
/** What the next blocks carry, in their order. */
const upcoming: ScriptedTransaction[][] = [];
let slot = FIRST_SLOT;
let counted_blocks = 0;
let calls: Record<string, number> = {};
let told: ToldSlots | null = null;

function makeBlock(): void {
  slot += 1;
  const block_time = Math.floor(Date.now() / 1000);
  const scripted = upcoming.shift() ?? [];
  blocks.set(slot, { block_time, scripted, strangers: pace.strangers > 0 });
  for (const transaction of scripted) {
    visible[transaction.signature] = performance.timeOrigin + performance.now();
    bySignature.set(transaction.signature, { slot, transaction });
    byAddress.add(transaction, { slot, block_time });
  }
  if (pace.strangers > 0) counted_blocks += 1;
  told?.tell(slot);
}
makeBlock();
let timer = setInterval(makeBlock, pace.slot_ms);

interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}
type Zipped = { readonly parts: readonly (string | Buffer)[] };

const METHODS: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
  getGenesisHash: () => GENESIS,
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': '3.0.0', 'feature-set': 1 }),
  getSlot: () => slot,
  getEpochInfo: () => ({ absoluteSlot: slot, blockHeight: slot }),
  getLatestBlockhash: () => ({
    context: { slot },
    value: { blockhash: HASH, lastValidBlockHeight: slot + 150 },
  }),
  getBlocks: ([from, to]) => slots(Number(from), typeof to === 'number' ? to : slot),
  getBlocksWithLimit: ([from, limit]) => slots(Number(from), slot).slice(0, Number(limit)),
  getBlockTime: ([at]) => blocks.get(Number(at))?.block_time ?? null,
  getSignaturesForAddress: ([address, options]) => byAddress.of(String(address), options),
  getTransaction: ([signature]) => transactionOf(String(signature)),
  // No address is anything but a wallet that holds nothing yet.
  getAccountInfo: () => ({ context: { slot }, value: null }),
  getMultipleAccounts: ([keys]) => ({
    context: { slot },
    value: (keys as readonly string[]).map(() => null),
  }),
  getRecentPrioritizationFees: () => [],
  // What is sent would succeed, and never lands.
  simulateTransaction: ([, options]) => ({
    context: { slot },
    value: { err: null, logs: [], unitsConsumed: 30_000, accounts: watchedIn(options) },
  }),
  getSignatureStatuses: ([signatures]) => ({
    context: { slot },
    value: (signatures as readonly string[]).map(() => null),
  }),
  sendTransaction: ([transaction]) => signatureIn(String(transaction)),
};

const watchedIn = (options: unknown): readonly null[] =>
  (options as { accounts: { addresses: readonly string[] } }).accounts.addresses.map(() => null);

const signatureIn = (transaction: string): string =>
  bs58.encode(Buffer.from(transaction, 'base64').subarray(1, 65));

const slots = (from: number, to: number): number[] =>
  [...blocks.keys()].filter((at) => at >= from && at <= to);

function transactionOf(signature: string): object | null {
  const found = bySignature.get(signature);
  if (!found) return null;
  const blockTime = blocks.get(found.slot)?.block_time;
  return { ...(JSON.parse(found.transaction.json) as object), slot: found.slot, blockTime };
}

/** A block is written as text: parsing and printing it for each request would be the bench's own load. */
function blockAnswer(id: unknown, at: number): Zipped {
  const block = blocks.get(at);
  if (!block) {
    const error = { code: -32007, message: `Slot ${at} was skipped` };
    return { parts: [JSON.stringify({ jsonrpc: '2.0', error, id })] };
  }
  const scripted = block.scripted.map(({ json }) => json).join(',');
  const comma = block.strangers && scripted ? ',' : '';
  const head =
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"blockHeight":${at},` +
    `"blockTime":${block.block_time},"blockhash":"${HASH}","parentSlot":${at - 1},` +
    `"previousBlockhash":"${HASH}","transactions":[${scripted}${comma}`;
  return { parts: [head, ...(block.strangers ? [strangersZipped] : []), ']}}'] };
}

function count(method: string): void {
  calls[method] = (calls[method] ?? 0) + 1;
}

function respond(call: Call): object | Zipped {
  const { id, method, params = [] } = call;
  count(method);
  if (method === 'getBlock') return blockAnswer(id, Number(params[0]));
  const known = METHODS[method];
  if (known) return { jsonrpc: '2.0', id, result: known(params) };
  return { jsonrpc: '2.0', id, error: { code: -32601, message: `Method not found: ${method}` } };
}

function send(response: http.ServerResponse, answer: object | Zipped, gzip: boolean): void {
  response.setHeader('content-type', 'application/json');
  if (!('parts' in answer)) return void response.end(JSON.stringify(answer));
  const parts = answer.parts.map((part) => {
    if (part === strangersZipped) return gzip ? strangersZipped : Buffer.from(strangers);
    return gzip ? gzipSync(part) : Buffer.from(part);
  });
  if (gzip) response.setHeader('content-encoding', 'gzip');
  response.end(Buffer.concat(parts));
}

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
    const gzip = String(request.headers['accept-encoding'] ?? '').includes('gzip');
    if (Array.isArray(asked)) send(response, asked.map(respond), false);
    else send(response, respond(asked), gzip);
  });
});
server.keepAliveTimeout = 120_000;

process.on('message', (message: ToChain) => {
  if (message.do === 'pace') {
    pace = message.pace;
    clearInterval(timer);
    timer = setInterval(makeBlock, pace.slot_ms);
  } else if (message.do === 'include') (upcoming[0] ??= []).push(...message.transactions);
  else if (message.do === 'script') upcoming.push(...message.blocks.map((block) => [...block]));
  else if (message.do === 'set-back') {
    calls = {};
    counted_blocks = 0;
  }
  const shown: ChainShown = { slot, blocks: counted_blocks, calls, visible };
  process.send?.({ result: message.do === 'show' ? shown : true });
});
process.on('disconnect', () => process.exit(0));

void ToldSlots.listen(server, count).then((listening) => {
  told = listening.told;
  process.send?.({ url: `http://127.0.0.1:${listening.port}` });
});
