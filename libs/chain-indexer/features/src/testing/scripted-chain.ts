import {
  NetworkRefused,
  type SignatureStatuses,
  Unavailable,
  type BalanceChange,
  type Chain,
  type ChainBlock,
  type ChainTransaction,
  type Commitment,
} from '@tender/eventing';

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const MINTS = { USDC: 'usdc-mint', USDT: 'usdt-mint' } as const;

/** One transfer, and what may be odd about it. Amounts are base units. */
export interface ScriptedTransfer {
  readonly to: string;
  readonly amount: bigint;
  readonly references?: readonly string[];
  /** One that nothing else has, unless given. */
  readonly signature?: string;
  /** `SOL`, or a mint; USDC unless given. */
  readonly mint?: string;
  readonly from?: string;
  /** Not the recipient's associated account. */
  readonly to_account?: string;
  readonly token_program?: string;
  readonly failed?: boolean;
  /** SOL that no System transfer brought: rent of a closed account. */
  readonly rent?: boolean;
  /** What follows in the same transaction. */
  readonly also?: readonly Pick<BalanceChange, 'owner' | 'delta'>[];
}

const sendsNothing = () =>
  new Unavailable('the chain', { reason: 'a scripted chain only has what a test has landed' });

/** A chain in memory whose blocks, faults and requests a test writes and reads. */
export class ScriptedChain implements Chain {
  readonly network = 'localnet';
  readonly mints = MINTS;
  readonly requests: Record<string, number> = {};
  genesis = 'genesis-1';
  /** No endpoint answers. */
  down = false;
  /** The answer to a list of slots waits for it. */
  hanging: Promise<void> | null = null;
  /** Why the network is not taken; null where it is. */
  refused: string | null = null;
  /** How far the node has come that look-ups by key meet. */
  looked_up_slot = Number.POSITIVE_INFINITY;
  /** Of its final part. */
  finalized_height = 0;
  /** What was sent and still has to land, base64. */
  readonly sent: string[] = [];
  /** What is sent to it, it refuses. */
  readonly rejected = new Set<string>();
  /** Slots that are listed but not served yet. */
  readonly unserved = new Set<number>();
  private readonly listeners = new Set<(slot: number) => void>();
  private readonly blocks = new Map<number, ChainBlock>();
  private tip = 10;
  private signatures = 0;

  constructor(readonly commitment: Commitment = 'confirmed') {}

  /** A block with these transactions. Unix seconds. */
  land(block_time: number, ...transfers: readonly ScriptedTransfer[]): readonly string[] {
    this.tip += 1;
    const slot = this.tip;
    const transactions = transfers.map((one) => this.transactionOf(one, slot, block_time));
    this.blocks.set(slot, { slot, block_time, transactions });
    return transactions.map(({ signature }) => signature);
  }

  /** Takes the newest block away again: a fork that lost. */
  dropTip(): void {
    this.blocks.delete(this.tip);
  }

  /** The same place, another ledger: what landed so far is gone. */
  renew(): void {
    this.blocks.clear();
    this.tip = 10;
  }

  skipSlots(count: number): void {
    this.tip += count;
  }

  onSlot(listener: (slot: number) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Tells the listeners of the slot, the newest one unless given; it may be a lie. */
  hint(slot = this.tip): void {
    for (const listener of this.listeners) listener(slot);
  }

  async genesisHash(): Promise<string> {
    this.ask('genesisHash');
    return this.genesis;
  }

  async slot(): Promise<number> {
    this.ask('slot');
    return this.tip;
  }

  async slotsAfter(after: number, limit: number): Promise<readonly number[]> {
    this.ask('slotsAfter');
    await this.hanging;
    return [...this.blocks.keys()].filter((slot) => slot > after).slice(0, limit);
  }

  async block(slot: number, keep: (key: string) => boolean): Promise<ChainBlock | null> {
    this.ask('block');
    if (this.unserved.has(slot)) throw new Unavailable('the chain', { reason: 'not served yet' });
    const block = this.blocks.get(slot);
    if (!block) return null;
    const touches = ({ account_keys, signature }: ChainTransaction) =>
      // Every key is asked for, as the real adapter does.
      [signature, ...account_keys].map((key) => keep(key)).includes(true);
    return { ...block, transactions: block.transactions.filter(touches) };
  }

  async transactionsOf(key: string, min_slot: number): Promise<readonly ChainTransaction[]> {
    this.ask('transactionsOf');
    if (this.looked_up_slot < min_slot) throw new Unavailable('the chain', { reason: 'the node is behind' });
    const known = [...this.blocks.values()].filter(({ slot }) => slot <= this.looked_up_slot);
    const all = known.flatMap(({ transactions }) => transactions);
    return all.filter(({ account_keys }) => account_keys.includes(key));
  }

  async transaction(signature: string): Promise<ChainTransaction | null> {
    this.ask('transaction');
    const all = [...this.blocks.values()].flatMap(({ transactions }) => transactions);
    return all.find((one) => one.signature === signature) ?? null;
  }

  async balances(): Promise<never> {
    throw new Unavailable('the chain', { reason: 'a scripted chain holds no balances' });
  }

  async accountKind(): Promise<never> {
    throw new Unavailable('the chain', { reason: 'a scripted chain holds no accounts' });
  }

  tokenAccount(wallet: string, token: 'USDC' | 'USDT'): string {
    return `${wallet}/${MINTS[token]}`;
  }

  async latestBlockhash(): Promise<never> {
    throw sendsNothing();
  }

  async recentUnitPrices(): Promise<never> {
    throw sendsNothing();
  }

  async finalPart(): Promise<never> {
    throw sendsNothing();
  }

  async accounts(): Promise<never> {
    throw sendsNothing();
  }

  async simulate(): Promise<never> {
    throw sendsNothing();
  }

  async send(transaction: Uint8Array): Promise<void> {
    this.ask('send');
    const text = Buffer.from(transaction).toString('base64');
    if (this.rejected.has(text)) throw new Unavailable('the chain', { reason: 'it takes no such bytes' });
    this.sent.push(text);
  }

  async signatureStatuses(signatures: readonly string[]): Promise<SignatureStatuses> {
    this.ask('signatureStatuses');
    const found = await Promise.all(signatures.map((signature) => this.transaction(signature)));
    return {
      finalized_block_height: this.finalized_height,
      finalized_slot: this.finalized_height,
      statuses: found.map((one) => one && { slot: one.slot, commitment: 'confirmed', error: null }),
    };
  }

  async finalViews(): Promise<never> {
    throw new Unavailable('the chain', { reason: 'a scripted chain holds no accounts' });
  }

  private ask(method: string): void {
    this.requests[method] = (this.requests[method] ?? 0) + 1;
    if (this.refused !== null) throw new NetworkRefused(this.refused);
    if (this.down) throw new Unavailable('the chain', { reason: 'every endpoint rests' });
  }

  private transactionOf(
    transfer: ScriptedTransfer,
    slot: number,
    block_time: number,
  ): ChainTransaction {
    const { to, amount, references = [], from = 'customer', mint = MINTS.USDC, failed = false } = transfer;
    const sol = mint === 'SOL';
    const change = (owner: string, delta: bigint, account?: string): BalanceChange => ({
      account: account ?? (sol ? owner : `${owner}/${mint}`),
      owner,
      mint: sol ? null : mint,
      token_program: sol ? null : (transfer.token_program ?? TOKEN_PROGRAM),
      delta,
    });
    const changes = [change(from, -amount), change(to, amount, transfer.to_account)];
    for (const { owner, delta } of transfer.also ?? []) {
      const index = changes.findIndex((known) => known.owner === owner);
      const known = changes[index];
      if (known) changes[index] = { ...known, delta: known.delta + delta };
      else changes.push(change(owner, delta));
    }
    const touched = changes.flatMap(({ account, owner }) => [account, owner]);
    this.signatures += 1;
    return {
      signature: transfer.signature ?? `sig${this.signatures}`,
      slot,
      block_time,
      failed,
      fee_payer: from,
      fee: 5_000n,
      account_keys: [from, ...touched, ...references],
      changes: failed ? [] : changes.filter(({ delta }) => delta !== 0n),
      sol_transfer_destinations: sol && !failed && !transfer.rent ? [to] : [],
    };
  }
}
