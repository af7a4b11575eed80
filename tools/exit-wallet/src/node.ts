import { base64, type ComputeBudget, usualBudget } from '@tender/transactions';

/** The node has refused a call. */
export class NodeRefused extends Error {
  override readonly name = 'NodeRefused';

  constructor(
    readonly code: number,
    message: string,
    /** What a simulation has said, where there was one. */
    readonly logs: readonly string[],
    /** Why, in the words of the program that runs transactions. */
    readonly err: unknown,
  ) {
    super(message);
  }
}

/** There is no answer of the node: nothing is known of what was asked for. */
export class NodeSilent extends Error {
  override readonly name = 'NodeSilent';
}

export interface Account {
  readonly lamports: bigint;
  readonly owner: string;
  readonly executable: boolean;
  readonly data: Buffer;
}

/** What became of a transaction, as far as this node knows. */
export type Outcome = 'final' | 'failed' | 'on its way' | 'unknown';

/** Where a node is. */
export interface Reached {
  readonly slot: number;
  /** Blocks up to that slot. */
  readonly height: number;
}

interface Answer<Result> {
  readonly result: Result;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly logs?: readonly string[] | null; readonly err?: unknown };
  };
}
interface Shown {
  readonly lamports: number;
  readonly owner: string;
  readonly executable: boolean;
  readonly data: readonly [string, 'base64'];
}

const ANSWERS_MS = 20_000;
const CONFIRMED = { commitment: 'confirmed' } as const;

/** A Solana node, by plain JSON-RPC: the only thing on the network that is asked. */
export class SolanaNode {
  constructor(private readonly url: string) {}

  async accounts(addresses: readonly string[]): Promise<readonly (Account | null)[]> {
    const options = { ...CONFIRMED, encoding: 'base64' };
    const { value } = await this.call<{ value: readonly (Shown | null)[] }>(
      ...(['getMultipleAccounts', addresses, options] as const),
    );
    return value.map(
      (shown) =>
        shown && {
          lamports: BigInt(shown.lamports),
          owner: shown.owner,
          executable: shown.executable,
          data: Buffer.from(shown.data[0], 'base64'),
        },
    );
  }

  /** Lamports that an account of so many bytes must keep. */
  async rentOf(bytes: number): Promise<bigint> {
    return BigInt(await this.call<number>('getMinimumBalanceForRentExemption', bytes));
  }

  budget(written: readonly string[], unit_limit: number): Promise<ComputeBudget> {
    type Price = { readonly prioritizationFee: number };
    const recentUnitPrices = async (addresses: readonly string[]): Promise<readonly bigint[]> => {
      const prices = await this.call<readonly Price[]>('getRecentPrioritizationFees', addresses);
      return prices.map(({ prioritizationFee }) => BigInt(prioritizationFee));
    };
    return usualBudget({ recentUnitPrices }, written, unit_limit);
  }

  async blockhash(): Promise<{
    readonly hash: string;
    readonly dead_after_height: number;
    readonly slot: number;
  }> {
    const { value, context } = await this.call<{
      context: { slot: number };
      value: { blockhash: string; lastValidBlockHeight: number };
    }>('getLatestBlockhash', CONFIRMED);
    const { blockhash: hash, lastValidBlockHeight: dead_after_height } = value;
    return { hash, dead_after_height, slot: context.slot };
  }

  network(): Promise<string> {
    return this.call<string>('getGenesisHash');
  }

  /** What is final there. */
  async reached(): Promise<Reached> {
    type Epoch = { readonly absoluteSlot: number; readonly blockHeight: number };
    const { absoluteSlot, blockHeight } = await this.call<Epoch>(
      ...(['getEpochInfo', { commitment: 'finalized' }] as const),
    );
    return { slot: absoluteSlot, height: blockHeight };
  }

  /** The first slot of which it still has the transactions. */
  historyFrom(): Promise<number> {
    return this.call<number>('getFirstAvailableBlock');
  }

  /** `slot`: up to where the node that answers has looked. */
  async outcomeOf(
    signature: string,
  ): Promise<{ readonly outcome: Outcome; readonly slot: number }> {
    type Status = { readonly err: unknown; readonly confirmationStatus: string };
    const { value, context: { slot } } = await this.call<{
      context: { slot: number };
      value: readonly (Status | null)[];
    }>('getSignatureStatuses', [signature], { searchTransactionHistory: true });
    const status = value[0];
    if (!status) return { outcome: 'unknown', slot };
    if (status.confirmationStatus !== 'finalized') return { outcome: 'on its way', slot };
    return { outcome: status.err === null ? 'final' : 'failed', slot };
  }

  /** `judged`: by a simulation first, so that what the chain would refuse is not sent. */
  async send(wire: Uint8Array, judged: boolean): Promise<void> {
    const options = { encoding: 'base64', maxRetries: 0, skipPreflight: !judged };
    await this.call('sendTransaction', base64(wire), {
      ...{ ...options, preflightCommitment: 'confirmed' },
    });
  }

  private async call<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
    const { error, result } = await this.answer<Result>(method, params);
    if (error) {
      const { code, message, data } = error;
      throw new NodeRefused(code, message, data?.logs ?? [], data?.err ?? null);
    }
    return result;
  }

  private async answer<Result>(
    method: string,
    params: readonly unknown[],
  ): Promise<Answer<Result>> {
    try {
      const answer = await fetch(this.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(ANSWERS_MS),
      });
      return (await answer.json()) as Answer<Result>;
    } catch (error) {
      throw new NodeSilent(`the node gives no answer to ${method} (${(error as Error).message})`);
    }
  }
}
