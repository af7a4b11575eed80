import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DecodedTransaction } from '../wire/decoded-transaction';
import type { AccountState } from './account-state';
import { AppendLog } from './append-log';
import { Blockhashes } from './blockhashes';
import { FIRST_SLOT, openGenesis, type Genesis, type Mints } from './genesis';
import { Heartbeat } from './heartbeat';
import { History, type HistoryEntry } from './history';
import { LedgerClock } from './ledger-clock';
import type { Commitment, LedgerListener, LedgerSettings } from './ledger-settings';
import type {
  AccountBody, AccountHeader, RollbackHeader, TimelineHeader, TransactionBody, TransactionHeader,
} from './log-records';
import { indexLog, rebuildAccounts } from './replay';
import { listSnapshots, removeSnapshot, writeSnapshot } from './snapshot';
import { Timeline, type TimelineChange } from './timeline';
import type { Simulation, Vm, VmAccount } from './vm';

/** Without a question for this long, the slots in between are skipped instead of followed. */
const IDLE_JUMP_MS = 60_000;
const SNAPSHOT_TRANSACTIONS = 5_000;
const SNAPSHOTS_KEPT = 2;

/**
 * One chain in one folder: accounts, blocks, history. Every change is in the log before a client
 * can see it; code that promises durability to a caller awaits `durable()` first.
 */
export class Ledger {
  readonly timeline: Timeline;
  readonly hashes: Blockhashes;
  readonly history = new History();
  readonly listeners = new Set<LedgerListener>();
  /** Answers as if this node were so many slots behind (a control method). */
  lagSlots = 0;
  private readonly clock: LedgerClock;
  private readonly heartbeat: Heartbeat;
  private readonly log: AppendLog;
  private accounts: AccountState;
  private touchedMs: number;
  /** Up to this slot, slots do not slow down. */
  private awakeUntil = 0;
  private slotsSinceSnapshot = 0;
  private transactionsSinceSnapshot = 0;

  /** Opens the ledger of a folder, or begins a new one: restores accounts, replays the log. */
  constructor(
    private readonly folder: string,
    readonly settings: LedgerSettings,
    readonly genesis: Genesis,
  ) {
    const { slotMs } = settings;
    const startMs = genesis.startedMs;
    const first = { firstSlot: FIRST_SLOT, lastSlot: null, startMs, slotMs, fork: 0 };
    this.timeline = new Timeline(first);
    this.hashes = new Blockhashes(genesis.hash, this.timeline);
    this.log = new AppendLog(join(folder, 'ledger.log'));
    const offsetMs = indexLog(this.log, this.history, this.timeline);
    const { hashes, log } = this;
    this.accounts = rebuildAccounts({ folder, log, genesis, hashes });
    this.clock = new LedgerClock(settings.wall, Math.max(offsetMs, settings.timeOffsetMs));
    this.heartbeat = new Heartbeat(join(folder, 'alive'));
    // Blocks up to here may have been shown before the last stop; they must stay as they were.
    const shownMs = this.timeline.startMsOf(this.timeline.tip);
    this.clock.reach(Math.max(shownMs, this.heartbeat.lastMs));
    this.touchedMs = Math.min(Math.max(shownMs, this.heartbeat.shownUpToMs), this.clock.now());
    this.timeline.follow(this.touchedMs);
    if (this.timeline.slotMs !== slotMs) this.change(this.timeline.planSpeed(slotMs));
  }

  static open(folder: string, settings: LedgerSettings, mints: Mints): Ledger {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { wall, timeOffsetMs, finalitySlots, slotMs } = settings;
    // The first block is final already, so that no transaction is in it: every one of them is
    // seen at each commitment in turn.
    const bornMs = (finalitySlots + 1) * slotMs;
    const genesis = openGenesis(folder, Math.floor(wall() + timeOffsetMs - bornMs), mints);
    return new Ledger(folder, settings, genesis);
  }

  get vm(): Vm {
    return this.accounts.vm;
  }

  get tokens(): AccountState['tokens'] {
    return this.accounts.tokens;
  }

  get offsetMs(): number {
    return this.clock.offsetMs;
  }

  /** Milliseconds since 1970, by this ledger's clock. */
  now(): number {
    return this.clock.now();
  }

  /** The slot that is being filled now. Everything that looks at blocks goes through here. */
  touch(): number {
    const now = this.clock.now();
    const { slotMs, finalitySlots } = this.settings;
    if (now - this.touchedMs > Math.max(IDLE_JUMP_MS, 4 * finalitySlots * slotMs)) {
      const from = this.timeline.startMsOf(this.timeline.tip);
      this.change(this.timeline.planJump(from, now - (finalitySlots + 1) * slotMs));
    }
    this.touchedMs = now;
    this.heartbeat.beat(now);
    const tip = this.timeline.follow(now);
    if (!this.isAtRest && tip > this.awakeUntil && this.settings.restSlotMs > slotMs) {
      this.change(this.timeline.planSpeed(this.settings.restSlotMs));
    }
    return tip;
  }

  private get isAtRest(): boolean {
    return this.timeline.slotMs > this.settings.slotMs;
  }

  /** Something happens, or will: the next slots, so many, come at their usual pace, and the first of them now. */
  wake(slots = this.settings.finalitySlots + 1): void {
    const tip = this.touch();
    if (this.isAtRest) {
      this.change(this.timeline.planSpeedAt(this.clock.now(), this.settings.slotMs));
    }
    this.awakeUntil = Math.max(this.awakeUntil, tip + slots);
  }

  /** The newest block that a question with this commitment sees. */
  newestSlot(commitment: Commitment): number {
    const depth = this.depthOf(commitment) + this.lagSlots;
    const byDepth = this.timeline.newestBlockUpTo(this.touch() - depth);
    // A slot at rest counts for as many as would have passed meanwhile.
    const byTime = this.timeline.newestBlockAt(this.clock.now() - depth * this.settings.slotMs);
    return Math.max(byDepth, byTime);
  }

  /** Null when a lagging node has not seen the slot yet. */
  levelOf(slot: number): Commitment | null {
    const levels = ['finalized', 'confirmed', 'processed'] as const;
    return levels.find((level) => slot <= this.newestSlot(level)) ?? null;
  }

  private depthOf(commitment: Commitment): number {
    if (commitment === 'processed') return 0;
    return commitment === 'confirmed' ? 1 : this.settings.finalitySlots;
  }

  /** The block whose hash this is, while transactions may still name it; else null. */
  slotOfUsableHash(hash: string): number | null {
    return this.hashes.slotOf(hash, this.touch() - this.settings.blockhashBlocks);
  }

  /** Seconds since 1970. */
  blockTime(slot: number): number {
    return Math.floor(this.timeline.startMsOf(slot) / 1000);
  }

  /** Resolves when everything done so far survives a power loss. */
  durable(): Promise<void> {
    return this.log.sync();
  }

  /** Runs a transaction in the current slot. Null when no block would hold it. */
  land(decoded: DecodedTransaction): HistoryEntry | null {
    this.wake();
    const slot = this.enterSlot();
    const executed = this.accounts.execute(decoded);
    if (!executed) return null;
    const header: TransactionHeader = { type: 'tx', slot, ...executed.header };
    const position = this.log.append(header, executed.body);
    const { sig: signature, err: error = null, memo = null } = header;
    if (!this.history.inSlot(slot).length) this.slotsSinceSnapshot += 1;
    this.transactionsSinceSnapshot += 1;
    const entry = this.history.add(
      { signature, slot, error, memo, ...position },
      header.keys,
    );
    if (
      this.slotsSinceSnapshot >= this.settings.snapshotSlots ||
      this.transactionsSinceSnapshot >= SNAPSHOT_TRANSACTIONS
    ) {
      this.snapshot();
    }
    return entry;
  }

  /** Tells subscribers; called once the caller may know, too. */
  announce(entry: HistoryEntry): void {
    for (const listener of this.listeners) listener.landed(entry);
  }

  simulate(wire: Uint8Array, verifySignatures: boolean): Simulation {
    this.enterSlot();
    return this.vm.simulate(wire, verifySignatures);
  }

  private enterSlot(): number {
    const slot = this.touch();
    this.vm.enter(slot, () => this.hashes.vmSlot(slot));
    return slot;
  }

  body(entry: HistoryEntry): TransactionBody & { readonly keys: readonly string[] } {
    const { header, body } = this.log.read<TransactionHeader, TransactionBody>(entry);
    return { ...body, keys: header.keys };
  }

  /** Puts an account there without a transaction; in the log, not in the history. */
  setAccount(address: string, account: VmAccount): void {
    const { lamports, owner, executable } = account;
    const header: AccountHeader = {
      type: 'account',
      slot: this.touch(),
      address,
      lamports: lamports.toString(),
      owner,
      executable,
    };
    const body: AccountBody = { data: account.data.toString('base64') };
    this.accounts.put(address, account);
    this.log.append(header, body);
  }

  /** Changes which slots have blocks. */
  change(change: TimelineChange): void {
    const { offsetMs } = this.clock;
    const header: TimelineHeader = { type: 'timeline', change, offsetMs };
    this.log.append(header);
    this.timeline.apply(change);
    this.timeline.follow(this.clock.now());
    for (const listener of this.listeners) listener.timelineChanged();
  }

  /** Moves the ledger's time to wall + offset; false when that would be back. */
  moveTime(offsetMs: number): boolean {
    this.touch();
    const from = this.clock.now();
    if (offsetMs === this.offsetMs || !this.clock.moveTo(offsetMs)) return false;
    const now = this.clock.now();
    this.change(this.timeline.planJump(from, now));
    this.touchedMs = now;
    return true;
  }

  /** Another fork wins: transactions after `toSlot` never happened. Answers their signatures. */
  rollback(toSlot: number): string[] {
    const change = this.timeline.planFork(toSlot);
    const header: RollbackHeader = { type: 'rollback', toSlot, change };
    this.log.append(header);
    this.timeline.apply(change);
    const dropped = this.history.dropAfter(toSlot);
    const { folder, log, genesis, hashes } = this;
    this.accounts = rebuildAccounts({ folder, log, genesis, hashes });
    for (const listener of this.listeners) listener.rolledBack(toSlot);
    return dropped.map(({ signature }) => signature);
  }

  /** Writes all accounts, so that the next start replays only what comes after. */
  snapshot(): void {
    const at = { slot: this.timeline.tip, logEnd: this.log.end, owners: this.accounts.programs };
    writeSnapshot(this.folder, this.vm, at);
    for (const old of listSnapshots(this.folder).slice(SNAPSHOTS_KEPT)) removeSnapshot(old);
    this.slotsSinceSnapshot = 0;
    this.transactionsSinceSnapshot = 0;
  }

  async close(): Promise<void> {
    if (this.transactionsSinceSnapshot > 0) this.snapshot();
    this.heartbeat.close(this.clock.now());
    await this.log.close();
  }
}
