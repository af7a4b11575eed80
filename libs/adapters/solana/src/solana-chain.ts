import {
  NetworkRefused,
  recentlyUsed,
  type Chain,
  type ChainBlock,
  type ChainTransaction,
  type Commitment,
  type Log,
} from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { associatedTokenAccount, KIND_SLICE } from '@tender/transactions';
import { accountKindOf } from './account-kind';
import { answeredWithin } from './answered-within';
import { blockDecoder } from './block-decoder';
import { decodeTransaction, type RpcTransaction } from './decode-block';
import { Endpoints, type Admission } from './endpoints';
import { untilAdmitted } from './until-admitted';
import { EndpointFailure, RpcError, rpcEndpoint, type RpcEndpoint } from './rpc-endpoint';
import { sending } from './sending';
import { SlotHints } from './slot-hints';
import { accountOf, balancesOf } from './told-accounts';
import { slotOf, slotsOf } from './told-slots';

export interface SolanaChainOptions {
  /** What is answered until a node has named its network. */
  readonly network: Chain['network'];
  readonly commitment: Chain['commitment'];
  /** Several nodes of the same network; the first is preferred. */
  readonly endpoints: readonly string[];
  readonly mints: Chain['mints'];
  /** Null or absent: the network that the first reachable node names. */
  readonly expectedGenesis?: string | null;
  /** Judges each node by its genesis hash; absent where any network is taken. The nodes are asked at once. */
  readonly admit?: ((genesis_hash: string) => Admission) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

const SIGNATURES_PAGE = 1_000;
const TRANSACTIONS_BATCH = 20;
/** Derivation costs about a millisecond; merchants come again. */
const TOKEN_ACCOUNTS_REMEMBERED = 10_000;
/** "Slot was skipped", in the two wordings of the RPC. */
const SKIPPED_CODES: ReadonlySet<number> = new Set([-32007, -32009]);
const KIND_DEADLINE_MS = 1_000;

interface At {
  readonly commitment: Commitment;
  readonly minContextSlot: number;
}
interface SignatureInfo {
  readonly signature: string;
}
type FetchedTransaction = RpcTransaction & {
  readonly slot: number;
  readonly blockTime: number | null;
};

/** One Solana network over plain JSON-RPC: no client library on the reading path. A websocket only hints. */
export function solanaChain(options: SolanaChainOptions): Chain & { close(): Promise<void> } {
  const { network, commitment, mints, clock, log } = options;
  const nodes = new Endpoints({
    endpoints: options.endpoints.map((url) => rpcEndpoint(url)),
    ...{ network, commitment, clock, log },
    expectedGenesis: options.expectedGenesis ?? null,
    admit: options.admit,
  });
  const asking = options.admit ? untilAdmitted(nodes) : null;
  const hints = new SlotHints(options.endpoints, commitment);
  const decoder = blockDecoder();
  const tokenAccounts = recentlyUsed<string>(TOKEN_ACCOUNTS_REMEMBERED);
  const full = { encoding: 'json', commitment, maxSupportedTransactionVersion: 0 };

  return {
    get network() {
      return nodes.network ?? network;
    },
    commitment,
    get mints() {
      const { refused } = nodes;
      // What was admitted once keeps its mints, whatever its nodes become.
      if (refused !== null && nodes.network === null) throw new NetworkRefused(refused);
      return mints;
    },
    genesisHash: () => nodes.genesisHash(),
    onSlot: (listener) => hints.listen(listener),
    slot: () => nodes.use(async (node) => slotOf(await node.call('getSlot', [{ commitment }]))),
    slotsAfter: (after, limit) =>
      nodes.use(async (node, told_slot) => {
        const answer = await node.call('getBlocksWithLimit', [after + 1, limit, { commitment }]);
        return slotsOf(answer, { after, limit, told_slot });
      }),
    block: (slot, keep) => nodes.use((node) => blockFrom(node, slot, keep)),
    transactionsOf: (key, minContextSlot, at = commitment) =>
      nodes.use((node) => transactionsFrom(node, key, { minContextSlot, commitment: at })),
    transaction: (signature, at = commitment) =>
      nodes.use((node) => transactionFrom(node, signature, at)),
    balances,
    accountKind: (address) => answeredWithin(KIND_DEADLINE_MS, accountKind(address)),
    tokenAccount,
    ...sending(nodes),
    async close() {
      asking?.end();
      hints.close();
      await Promise.all([nodes.close(), decoder.close()]);
    },
  };

  async function blockFrom(
    node: RpcEndpoint,
    slot: number,
    keep: (key: string) => boolean,
  ): Promise<ChainBlock | null> {
    const details = { ...full, transactionDetails: 'full', rewards: false };
    const { body, gzip } = await node.raw('getBlock', [slot, details]);
    const answer = await decoder.decode(slot, body, gzip, keep);
    if (!('fault' in answer)) {
      if (!answer.block) throw new EndpointFailure(`slot ${slot} has no block time yet`);
      return answer.block;
    }
    const { code, message } = answer.fault;
    if (!SKIPPED_CODES.has(code)) throw new RpcError(code, message);
    // A node that restarted from a snapshot says "skipped" of blocks that it lacks: ask the list.
    const [listed] = await node.call<number[]>('getBlocksWithLimit', [slot, 1, { commitment }]);
    if (listed === slot) throw new EndpointFailure(`slot ${slot} is listed but not served`);
    return null;
  }

  async function transactionsFrom(node: RpcEndpoint, key: string, at: At) {
    const found = new Set<string>();
    let before: string | undefined;
    for (;;) {
      // Never `until`: a node that does not know it answers with the newest page and skips the rest.
      const page: SignatureInfo[] = await node.call('getSignaturesForAddress', [
        key,
        { ...at, limit: SIGNATURES_PAGE, ...(before ? { before } : {}) },
      ]);
      if (page.length === 0) break;
      for (const { signature } of page) found.add(signature);
      before = (page.at(-1) as SignatureInfo).signature;
    }
    const oldestFirst = [...found].reverse();
    const transactions: ChainTransaction[] = [];
    for (let start = 0; start < oldestFirst.length; start += TRANSACTIONS_BATCH) {
      const some = oldestFirst.slice(start, start + TRANSACTIONS_BATCH);
      transactions.push(...(await fetched(node, some, at)));
    }
    return transactions.sort((one, other) => one.slot - other.slot);
  }

  async function transactionFrom(
    node: RpcEndpoint,
    signature: string,
    at: Commitment,
  ): Promise<ChainTransaction | null> {
    // In a batch: alone, an answer of null counts as none.
    const config = { ...full, commitment: at };
    const [answer] = await node.batch([['getTransaction', [signature, config]]]);
    if (answer instanceof RpcError) throw answer;
    const found = answer as FetchedTransaction | null;
    if (found === null) return null;
    if (found.blockTime === null) throw new EndpointFailure(`${signature} has no block time yet`);
    return decodeTransaction(found, found.slot, found.blockTime);
  }

  async function fetched(node: RpcEndpoint, signatures: readonly string[], { commitment }: At) {
    const answers = await node.batch(
      signatures.map((signature) => ['getTransaction', [signature, { ...full, commitment }]] as const),
    );
    return answers.map((answer, index) => {
      if (answer instanceof RpcError) throw answer;
      const transaction = answer as FetchedTransaction | null;
      if (!transaction || transaction.blockTime === null) {
        throw new EndpointFailure(`${signatures[index]} is listed but not served`);
      }
      return decodeTransaction(transaction, transaction.slot, transaction.blockTime);
    });
  }

  async function accountKind(address: string) {
    const config = { commitment, encoding: 'base64', dataSlice: KIND_SLICE };
    return nodes.use(async (node) => {
      const { value } = await node.call<{ value?: unknown }>('getAccountInfo', [address, config]);
      return accountKindOf(accountOf(value));
    });
  }

  async function balances(wallet: string) {
    const addresses = [wallet, tokenAccount(wallet, 'USDC'), tokenAccount(wallet, 'USDT')];
    const config = { commitment, encoding: 'base64' };
    return nodes.use(async (node) => {
      const { value } = await node.call<{ value?: unknown }>('getMultipleAccounts', [addresses, config]);
      return balancesOf(value, mints);
    });
  }

  function tokenAccount(wallet: string, token: 'USDC' | 'USDT'): string {
    const id = `${token}:${wallet}`;
    const known = tokenAccounts.get(id);
    if (known) return known;
    const account = associatedTokenAccount(wallet, mints[token]);
    tokenAccounts.set(id, account);
    return account;
  }
}
