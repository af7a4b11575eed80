import type { HistoryEntry } from '../ledger/history';
import type { Commitment, LedgerListener } from '../ledger/ledger-settings';
import { API_VERSION, type ChainNode } from '../rpc/chain-node';
import type { Params } from '../rpc/params';
import { renderForSubscriber } from '../rpc/render-account';
import { RPC_CODES, RpcError } from '../rpc/rpc-error';
import { report } from './report';
import {
  readWanted, type Subscriber, type Subscription, type SubscriptionKind,
} from './subscription';
import { writableKeys } from './writable-keys';

/** Changes with every block, so a subscriber hears of every block at its commitment. */
const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111';
/** After a jump subscribers hear of only so many slots; none can follow a thousand at once. */
const SLOT_NOTICES_MAX = 64;
/** Of all clients together; each one costs time with every block. */
const SUBSCRIPTIONS_MAX = 10_000;
/** Transactions of whose landing subscribers have heard. */
const TOLD_MAX = 10_000;

/** Sends sockets what they wait for. Its timer runs only while a client waits. */
export class Subscriptions implements LedgerListener {
  private readonly open = new Map<number, Subscription>();
  private readonly told = new Set<string>();
  private readonly seen = { confirmed: 0, finalized: 0 };
  private tip = 0;
  private nextId = 1;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly node: ChainNode) {
    node.ledger.listeners.add(this);
  }

  /** Adds one and answers its id; `flush` then sends what is already known. */
  add(subscriber: Subscriber, kind: SubscriptionKind, params: Params): number {
    const wanted = readWanted(this.node.ledger.vm, kind, params);
    if (this.open.size >= SUBSCRIPTIONS_MAX) {
      const message = 'Internal Error: Subscription refused. Node subscription limit reached';
      throw new RpcError(RPC_CODES.internal, message);
    }
    if (this.open.size === 0) this.startTicking();
    const id = this.nextId;
    this.nextId += 1;
    this.open.set(id, { ...wanted, id, subscriber });
    return id;
  }

  /** A signature that is known already is sent at once. */
  flush(id: number): void {
    const subscription = this.open.get(id);
    if (subscription?.kind !== 'signature') return;
    this.attempt(subscription, () => {
      const { ledger } = this.node;
      const entry = ledger.history.get(subscription.key ?? '');
      if (entry && entry.slot <= ledger.newestSlot(subscription.commitment)) {
        this.tell(subscription, entry);
      }
    });
  }

  remove(id: number): boolean {
    const removed = this.open.delete(id);
    if (this.open.size === 0) this.stopTicking();
    return removed;
  }

  removeAllOf(subscriber: Subscriber): void {
    for (const subscription of [...this.open.values()]) {
      if (subscription.subscriber === subscriber) this.remove(subscription.id);
    }
  }

  close(): void {
    this.node.ledger.listeners.delete(this);
    this.open.clear();
    this.stopTicking();
  }

  /** Told once, and before it is told as confirmed: a block may end before the one that sent it is answered. */
  landed(entry: HistoryEntry): void {
    const { signature } = entry;
    if (this.open.size === 0 || this.told.has(signature)) return;
    this.told.add(signature);
    const [oldest = signature] = this.told;
    if (this.told.size > TOLD_MAX) this.told.delete(oldest);
    this.tellReceived(entry);
    this.tellAll(entry, 'processed');
  }

  timelineChanged(): void {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.tickIn(this.untilNextSlot());
  }

  rolledBack(toSlot: number): void {
    this.told.clear();
    this.seen.confirmed = Math.min(this.seen.confirmed, toSlot);
    this.seen.finalized = Math.min(this.seen.finalized, toSlot);
  }

  private startTicking(): void {
    const { ledger } = this.node;
    this.tip = ledger.touch();
    this.seen.confirmed = ledger.newestSlot('confirmed');
    this.seen.finalized = ledger.newestSlot('finalized');
    this.tickIn(this.untilNextSlot());
  }

  private tickIn(wait_ms: number): void {
    this.timer = setTimeout(() => this.tick(), wait_ms).unref();
  }

  /** Milliseconds until the next block begins, which also shows the one before as confirmed. */
  private untilNextSlot(): number {
    const { timeline } = this.node.ledger;
    const left_ms = timeline.startMsOf(timeline.nextSlot) - this.node.ledger.now();
    return Math.min(Math.max(left_ms, 1), timeline.slotMs);
  }

  private stopTicking(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  /** What fails here, fails for this slot: a timer has no caller to throw to. */
  private tick(): void {
    this.timer = null;
    let wait_ms = this.node.ledger.settings.slotMs;
    try {
      this.tellOfSlots();
      wait_ms = this.untilNextSlot();
    } catch (error) {
      report('subscribers did not hear of a slot', error);
    }
    // The one that was told may have been the last to wait.
    if (this.open.size > 0) this.tickIn(wait_ms);
  }

  private tellOfSlots(): void {
    const { ledger } = this.node;
    const tip = ledger.touch();
    const root = ledger.newestSlot('finalized');
    const rootMoved = root > this.seen.finalized;
    const slots = ledger.timeline.blocksBetween(this.tip + 1, tip).slice(-SLOT_NOTICES_MAX);
    for (const slot of slots) {
      this.notify('slot', { parent: ledger.timeline.parentOf(slot) ?? slot - 1, slot, root });
    }
    if (rootMoved) this.notify('root', root);
    this.tip = Math.max(this.tip, tip);
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const newest = ledger.newestSlot(commitment);
      if (newest > this.seen[commitment]) this.tellClock(commitment, newest);
      for (const slot of ledger.history.slotsBetween(this.seen[commitment], newest)) {
        for (const entry of ledger.history.inSlot(slot)) {
          this.landed(entry);
          this.tellAll(entry, commitment);
        }
      }
      this.seen[commitment] = Math.max(this.seen[commitment], newest);
    }
  }

  private notify(kind: 'slot' | 'root', result: unknown): void {
    for (const subscription of this.open.values()) {
      if (subscription.kind !== kind) continue;
      this.attempt(subscription, () => this.push(subscription, result));
    }
  }

  private tellClock(commitment: Commitment, slot: number): void {
    const { vm } = this.node.ledger;
    for (const subscription of this.open.values()) {
      const { kind, key, form } = subscription;
      if (kind !== 'account' || key !== CLOCK_SYSVAR) continue;
      if (subscription.commitment !== commitment) continue;
      this.attempt(subscription, () => {
        this.pushAt(subscription, { slot }, renderForSubscriber(vm, vm.account(key), form));
      });
    }
  }

  private tellReceived(entry: HistoryEntry): void {
    for (const subscription of this.open.values()) {
      if (!subscription.received || subscription.key !== entry.signature) continue;
      this.attempt(subscription, () => this.pushAt(subscription, entry, 'receivedSignature'));
    }
  }

  private tellAll(entry: HistoryEntry, commitment: Commitment): void {
    for (const subscription of [...this.open.values()]) {
      if (subscription.commitment !== commitment) continue;
      this.attempt(subscription, () => this.tell(subscription, entry));
    }
  }

  /** A notification that cannot be made ends its subscription, and nothing else. */
  private attempt({ id, kind }: Subscription, tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.remove(id);
      report(`${kind}Subscribe ${id} ended`, error);
    }
  }

  private tell(subscription: Subscription, entry: HistoryEntry): void {
    const { kind, key, form, filter } = subscription;
    const { ledger } = this.node;
    const { signature, error: err } = entry;
    if (kind === 'signature' && key === signature) {
      this.pushAt(subscription, entry, { err });
      this.remove(subscription.id);
    }
    if (kind === 'logs') {
      const { keys, logs } = ledger.body(entry);
      if (key === null || keys.includes(key)) {
        this.pushAt(subscription, entry, { signature, err, logs });
      }
    }
    if (kind !== 'account' && kind !== 'program') return;
    for (const pubkey of writableKeys(ledger.body(entry))) {
      const account = ledger.vm.account(pubkey);
      if (kind === 'account' && pubkey === key) {
        this.pushAt(subscription, entry, renderForSubscriber(ledger.vm, account, form));
      }
      const owned = kind === 'program' && account?.owner === key;
      if (owned && account && filter.matches(account)) {
        const rendered = renderForSubscriber(ledger.vm, account, form);
        this.pushAt(subscription, entry, { pubkey, account: rendered });
      }
    }
  }

  private pushAt(subscription: Subscription, { slot }: Pick<HistoryEntry, 'slot'>, value: unknown): void {
    this.push(subscription, { context: { apiVersion: API_VERSION, slot }, value });
  }

  private push({ id, kind, subscriber }: Subscription, result: unknown): void {
    const params = { result, subscription: id };
    subscriber.send(JSON.stringify({ jsonrpc: '2.0', method: `${kind}Notification`, params }));
  }
}
