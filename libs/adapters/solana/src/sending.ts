import {
  Unavailable,
  type Chain,
  type ChainAccount,
  type FinalPart,
  type FinalView,
  type Simulation,
} from '@tender/eventing';
import { accountKindOf } from './account-kind';
import { answeredWithin } from './answered-within';
import type { Endpoints } from './endpoints';
import { EndpointFailure, RpcError, type RpcCall, type RpcEndpoint } from './rpc-endpoint';
import { accountOf, type ToldAccount } from './told-accounts';
import { slotOf } from './told-slots';

type Sending = Pick<
  Chain,
  | 'latestBlockhash'
  | 'recentUnitPrices'
  | 'finalPart'
  | 'accounts'
  | 'simulate'
  | 'send'
  | 'signatureStatuses'
  | 'finalViews'
>;

interface InContext<Value> {
  readonly context: { readonly slot: number };
  readonly value: Value;
}
interface Simulated {
  readonly err: unknown;
  readonly unitsConsumed?: number;
  readonly accounts: readonly (Pick<ToldAccount, 'lamports'> | null)[] | null;
}
interface Epoch {
  readonly blockHeight: number;
  readonly absoluteSlot: number;
}
interface Status {
  readonly slot: number;
  readonly err: unknown;
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized';
}

type Statuses = InContext<readonly (Status | null)[]>;

/** Transactions are built, simulated and followed at this commitment: a newer state may be a fork's. */
const CONFIRMED = { commitment: 'confirmed' };
/** Height and slot of one block: two questions may have two blocks for an answer. */
const FINAL_PART: RpcCall = ['getEpochInfo', [{ commitment: 'finalized' }]];
/** Balances may change while they are compared, once in a slot. */
const SIMULATIONS_MAX = 5;
const PRICES_DEADLINE_MS = 1_000;

/** What it takes to send a transaction and to know what became of it. */
export function sending(nodes: Endpoints): Sending {
  return {
    latestBlockhash: () =>
      nodes.use(async (node) => {
        const { context, value } = await node.call<
          InContext<{ blockhash: string; lastValidBlockHeight: number }>
        >('getLatestBlockhash', [CONFIRMED]);
        const { blockhash, lastValidBlockHeight } = value;
        return {
          blockhash,
          last_valid_block_height: slotOf(lastValidBlockHeight),
          slot: slotOf(context.slot),
        };
      }),
    recentUnitPrices: (addresses) => {
      const prices = nodes.use(async (node) => {
        const fees = await node.call<readonly { readonly prioritizationFee: number }[]>(
          'getRecentPrioritizationFees',
          [addresses],
        );
        return fees.map(({ prioritizationFee }) => BigInt(prioritizationFee));
      });
      return answeredWithin(PRICES_DEADLINE_MS, prices);
    },
    finalPart: () => nodes.use(async (node) => finalPartOf(await node.call<Epoch>(...FINAL_PART))),
    accounts: (addresses) =>
      nodes.use(async (node) => {
        const config = { ...CONFIRMED, encoding: 'base64' };
        const { value } = await node.call<InContext<readonly unknown[]>>(
          'getMultipleAccounts',
          [addresses, config],
        );
        return accountsOf(value, addresses);
      }),
    simulate: (transaction, { min_slot, accounts }) =>
      nodes.use((node) => simulation(node, transaction, min_slot, accounts)),
    send,
    signatureStatuses: (signatures) =>
      nodes.use(async (node) => {
        // One request: two of them may reach two machines behind one address.
        const [epoch, answer] = await batch<[Epoch, Statuses]>(node, [
          FINAL_PART,
          statusesCall(signatures),
        ]);
        return statusesOf(epoch, answer, signatures);
      }),
    finalViews: (signatures, addresses) =>
      nodes.each((node) => finalView(node, signatures, addresses)),
  };

  async function send(transaction: Uint8Array): Promise<void> {
    const options = { encoding: 'base64', skipPreflight: true, maxRetries: 0 };
    try {
      await nodes.use((node) => node.call('sendTransaction', [textOf(transaction), options]));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      // What the node makes of it is no proof that it never lands.
      throw new Unavailable('the chain', { cause: error, reason: error.message });
    }
  }
}

async function finalView(
  node: RpcEndpoint,
  signatures: readonly string[],
  addresses: readonly string[],
): Promise<FinalView> {
  const config = { commitment: 'finalized', encoding: 'base64' };
  type Held = InContext<readonly unknown[]>;
  const [epoch, answer, held] = await batch<[Epoch, Statuses, Held]>(node, [
    FINAL_PART,
    statusesCall(signatures),
    ['getMultipleAccounts', [addresses, config]],
  ]);
  const view = statusesOf(epoch, answer, signatures);
  // A machine that is behind the height shows what was, and what was is no proof.
  const oldest = Math.min(slotOf(answer.context.slot), slotOf(held.context.slot));
  if (oldest < view.finalized_slot) throw new EndpointFailure('accounts are older than the height');
  return { ...view, accounts: accountsOf(held.value, addresses) };
}

async function simulation(
  node: RpcEndpoint,
  transaction: Uint8Array,
  min_slot: number,
  watched: readonly string[],
): Promise<Simulation> {
  const at = { ...CONFIRMED, minContextSlot: min_slot, encoding: 'base64' };
  const balances: RpcCall = ['getMultipleAccounts', [watched, at]];
  const config = { ...at, sigVerify: false, accounts: { encoding: 'base64', addresses: watched } };
  const run: RpcCall = ['simulateTransaction', [textOf(transaction), config]];
  for (let tried = 0; tried < SIMULATIONS_MAX; tried += 1) {
    type Balances = InContext<readonly (ToldAccount | null)[]>;
    const [before, simulated, after] = await batch<[Balances, InContext<Simulated>, Balances]>(
      node,
      [balances, run, balances],
    );
    const { err, unitsConsumed = 0, accounts } = simulated.value;
    const error = errorText(err);
    if (error !== null) return { error, compute_units: unitsConsumed, lamports: [] };
    const [held, left] = [lamportsOf(before.value, watched), lamportsOf(after.value, watched)];
    // They were the same before and after, so the simulation began with them, too.
    if (held.some((lamports, index) => lamports !== left[index])) continue;
    const then = lamportsOf(accounts, watched);
    const lamports = then.map((amount, index) => amount - (held[index] as bigint));
    return { error: null, compute_units: unitsConsumed, lamports };
  }
  throw new EndpointFailure('the balances change all the time');
}

async function batch<Answers extends readonly unknown[]>(
  node: RpcEndpoint,
  calls: readonly RpcCall[],
): Promise<Answers> {
  const answers = await node.batch(calls);
  for (const answer of answers) if (answer instanceof RpcError) throw answer;
  return answers as unknown as Answers;
}

/** One answer for each that was asked for, or the node's fault. */
function allOf<Value>(values: readonly Value[] | null, asked: readonly string[]): readonly Value[] {
  if (values?.length === asked.length) return values;
  throw new EndpointFailure('what was asked for is not in the answer');
}

const lamportsOf = (
  accounts: readonly (Pick<ToldAccount, 'lamports'> | null)[] | null,
  asked: readonly string[],
): bigint[] => allOf(accounts, asked).map((account) => BigInt(account?.lamports ?? 0));

const accountsOf = (value: readonly unknown[], addresses: readonly string[]) =>
  allOf(value, addresses).map((told) => chainAccountOf(accountOf(told)));

const statusesCall = (signatures: readonly string[]): RpcCall => [
  'getSignatureStatuses',
  [signatures, { searchTransactionHistory: true }],
];

const statusesOf = (epoch: Epoch, answer: Statuses, signatures: readonly string[]) => ({
  ...finalPartOf(epoch),
  statuses: allOf(answer.value, signatures).map((status) => status && statusOf(status)),
});

const chainAccountOf = (told: ToldAccount | null): ChainAccount | null =>
  told && {
    owner: told.owner,
    lamports: BigInt(told.lamports),
    data: Buffer.from(told.data[0], 'base64'),
    kind: accountKindOf(told),
  };

const finalPartOf = ({ blockHeight, absoluteSlot }: Epoch): FinalPart => ({
  finalized_block_height: slotOf(blockHeight),
  finalized_slot: slotOf(absoluteSlot),
});

const statusOf = ({ slot, err, confirmationStatus }: Status) => ({
  slot: slotOf(slot),
  commitment: confirmationStatus,
  error: errorText(err),
});

const errorText = (err: unknown): string | null =>
  err === null || err === undefined ? null : typeof err === 'string' ? err : JSON.stringify(err);

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
