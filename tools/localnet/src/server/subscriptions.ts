import type { HistoryEntry } from '../ledger/history';
import type { Commitment, LedgerListener } from '../ledger/ledger-settings';
import { accountFilter } from '../rpc/account-methods';
import { API_VERSION, type ChainNode } from '../rpc/chain-node';
import {
  addressOf, commitmentOf, fieldsOf, isFields, listOf, signatureOf, type Fields, type Params,
} from '../rpc/params';
import { renderAccount } from '../rpc/render-account';
import { invalidParams } from '../rpc/rpc-error';
import { writableKeys } from './writable-keys';

export const SUBSCRIPTION_KINDS = [
  'signature', 'slot', 'root', 'logs', 'account', 'program',
] as const;
export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];

/** The socket of a subscriber. */
export interface Subscriber {
  send(text: string): void;
}

interface Subscription {
  readonly id: number;
  readonly subscriber: Subscriber;
  readonly kind: SubscriptionKind;
  /** A signature, an address, or null for everything. */
  readonly key: string | null;
  readonly commitment: Commitment;
  readonly fields: Fields;
}

/** Changes with every block, so a subscriber hears of every block at its commitment. */
const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111';
/** After a jump subscribers hear of only so many slots; none can follow a thousand at once. */
const SLOT_NOTICES_MAX = 64;

function keyOf(kind: SubscriptionKind, value: unknown): string | null {
  if (kind === 'signature') return signatureOf(value);
  if (kind === 'account' || kind === 'program') return addressOf(value);
  if (kind === 'slot' || kind === 'root') return null;
  if (value === 'all' || value === 'allWithVotes') return null;
  const mentions = isFields(value) ? listOf(value['mentions'], 1) : [];
  if (mentions.length !== 1) throw invalidParams('Invalid Request: Only 1 address supported');
  return addressOf(mentions[0]);
}

/** Sends sockets what they wait for. Its timer runs only while a client waits. */
export class Subscriptions implements LedgerListener {
  private readonly open = new Map<number, Subscription>();
  private readonly seen = { confirmed: 0, finalized: 0 };
  private tip = 0;
  private nextId = 1;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly node: ChainNode) {
    node.ledger.listeners.add(this);
  }

  /** Adds one and answers its id; `flush` then sends what is already known. */
  add(subscriber: Subscriber, kind: SubscriptionKind, params: Params): number {
    const [first, config] = params;
    const fields = fieldsOf(config);
    const id = this.nextId;
    const key = keyOf(kind, first);
    const commitment = commitmentOf(fields);
    if (kind === 'program') accountFilter(fields['filters']);
    this.nextId += 1;
    if (this.open.size === 0) this.startTicking();
    this.open.set(id, { id, subscriber, kind, key, commitment, fields });
    return id;
  }

  /** A signature that is known already is sent at once. */
  flush(id: number): void {
    const subscription = this.open.get(id);
    if (subscription?.kind !== 'signature') return;
    const { ledger } = this.node;
    const entry = ledger.history.get(subscription.key ?? '');
    if (entry && entry.slot <= ledger.newestSlot(subscription.commitment)) {
      this.tell(subscription, entry);
    }
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

  landed(entry: HistoryEntry): void {
    this.tellAll(entry, 'processed');
  }

  rolledBack(toSlot: number): void {
    this.seen.confirmed = Math.min(this.seen.confirmed, toSlot);
    this.seen.finalized = Math.min(this.seen.finalized, toSlot);
  }

  private startTicking(): void {
    const { ledger } = this.node;
    this.tip = ledger.touch();
    this.seen.confirmed = ledger.newestSlot('confirmed');
    this.seen.finalized = ledger.newestSlot('finalized');
    this.tickAtNextSlot();
  }

  /** As soon as the next block begins, which also shows the one before as confirmed. */
  private tickAtNextSlot(): void {
    const { ledger } = this.node;
    const { timeline, settings } = ledger;
    ledger.touch();
    const left_ms = timeline.startMsOf(timeline.nextSlot) - ledger.now();
    const wait_ms = Math.min(Math.max(left_ms, 1), settings.slotMs);
    this.timer = setTimeout(() => this.tick(), wait_ms).unref();
  }

  private stopTicking(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private tick(): void {
    this.tickAtNextSlot();
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
        for (const entry of ledger.history.inSlot(slot)) this.tellAll(entry, commitment);
      }
      this.seen[commitment] = Math.max(this.seen[commitment], newest);
    }
  }

  private notify(kind: 'slot' | 'root', result: unknown): void {
    for (const subscription of this.open.values()) {
      if (subscription.kind === kind) this.push(subscription, result);
    }
  }

  private tellClock(commitment: Commitment, slot: number): void {
    const { vm } = this.node.ledger;
    for (const subscription of this.open.values()) {
      const { kind, key, fields } = subscription;
      if (kind !== 'account' || key !== CLOCK_SYSVAR) continue;
      if (subscription.commitment !== commitment) continue;
      this.pushAt(subscription, { slot }, renderAccount(vm, vm.account(key), fields));
    }
  }

  private tellAll(entry: HistoryEntry, commitment: Commitment): void {
    for (const subscription of [...this.open.values()]) {
      if (subscription.commitment === commitment) this.tell(subscription, entry);
    }
  }

  private tell(subscription: Subscription, entry: HistoryEntry): void {
    const { kind, key, fields } = subscription;
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
        this.pushAt(subscription, entry, renderAccount(ledger.vm, account, fields));
      }
      const owned = kind === 'program' && account?.owner === key;
      if (owned && account && accountFilter(fields['filters'])(account)) {
        const rendered = renderAccount(ledger.vm, account, fields);
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
