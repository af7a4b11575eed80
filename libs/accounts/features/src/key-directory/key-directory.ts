import type { Merchant } from '@tender/accounts-domain';
import type { KeyHolder, MerchantHolder } from '@tender/contracts';
import {
  recentlyUsed,
  savedPosition,
  Unavailable,
  type Follower,
  type Position,
  type Runtime,
  type StoredEvent,
} from '@tender/eventing';
import { invariant, type Mode } from '@tender/kernel';
import { API_KEYS_FOLLOWER } from '../api-keys/api-keys.projection';
import { merchant } from '../merchant-details/merchant.aggregate';
import { KeyUsage } from './key-usage.record';
import { ProvenFresh, type Gateways } from './proven-fresh';

/** Who a key belongs to, without asking the database for a key in use. */
export interface KeyDirectory {
  /** The holder of the key with this SHA-256 (hex); null for a key that is unknown or rotated away. */
  authenticate(hash: string): Promise<KeyHolder | null>;
  /** Whether this process has found the holder of that key before and has heard of no rotation; asks no table. */
  remembers(hash: string): boolean;
  /** The merchant of that id, which exists; its mode is live where it has a live key that works, else test. */
  merchant(merchant_id: string): Promise<MerchantHolder>;
  /** Notes that a request was admitted with this key. */
  used(key_id: string): void;
  /** Business time (ms) of the last use that this process saw. */
  lastUsed(key_id: string): number | null;
  /** True once this directory and the key table know the event at `position`; false after `timeout_ms`. */
  knows(position: Position, timeout_ms: number): Promise<boolean>;
  /**
   * True once no gateway accepts a key any more that the event at `position` retires; false after
   * `timeout_ms`, when that is not certain.
   */
  retiredEverywhere(position: Position, timeout_ms: number): Promise<boolean>;
  close(): Promise<void>;
}

/** The directory of this process: the gateway asks the same one that a rotation waits for. */
export const KEY_DIRECTORY = Symbol('key directory');

/** The program says whether other gateways answer as well, and closes the directory. */
export const openKeyDirectory = (runtime: Runtime, gateways: Gateways): KeyDirectory =>
  new FollowingKeyDirectory(runtime, gateways);

const HOLDERS_MAX = 50_000;
const RETIRED_MAX = 10_000;

/** What changes of a merchant that its keys say. */
const CHANGES_HOLDERS: readonly string[] = ['MerchantUpdated', 'WalletCreated'];

const FIND_KEY = `select key.id, key.mode, key.merchant_id, merchant.state
  from accounts.api_keys key left join accounts.merchants merchant on merchant.id = key.merchant_id
  where key.key_hash = $1 and key.is_active`;

const FIND_MERCHANT = `select merchant.state, exists (
    select from accounts.api_keys key where key.merchant_id = $1 and key.mode = 'live' and key.is_active
  ) as has_live_key
  from (select $1::text as id) asked left join accounts.merchants merchant on merchant.id = asked.id`;

interface MerchantRow {
  /** Null while that projection is behind. */
  readonly state: Merchant | null;
  readonly has_live_key: boolean;
}

interface KeyRow {
  readonly id: string;
  readonly mode: Mode;
  readonly merchant_id: string;
  /** Null while that projection is behind the keys’. */
  readonly state: Merchant | null;
}

/**
 * Holders in memory in front of the key table. The directory follows the log itself and remembers a rotated key
 * as retired, which outweighs a slow look-up or an old row (S4). When it has not heard the log to its end lately,
 * it asks the table: a rotation is answered only once the table has it.
 */
class FollowingKeyDirectory implements KeyDirectory {
  private readonly holders = recentlyUsed<KeyHolder>(HOLDERS_MAX);
  /** Hash → where the log retires it. */
  private readonly retired = new Map<string, Position>();
  /** Merchant → where the log changes what its keys say of it. */
  private readonly changed = new Map<string, Position>();
  private forgotten = 0;
  private follower: Promise<Follower> | null = null;
  private readonly usage: KeyUsage;
  private readonly fresh: ProvenFresh;

  constructor(
    private readonly runtime: Runtime,
    gateways: Gateways,
  ) {
    this.usage = new KeyUsage(runtime);
    this.fresh = new ProvenFresh(gateways, async () => (await this.following()).idle());
  }

  async authenticate(hash: string): Promise<KeyHolder | null> {
    await this.following();
    const is_fresh = this.fresh.holds();
    if (this.retired.has(hash)) return null;
    const known = is_fresh ? this.holders.get(hash) : undefined;
    if (known) return known;

    const forgotten = this.forgotten;
    const holder = await this.find(hash).catch((error: unknown) => this.remembered(hash, error));
    if (!holder || this.retired.has(hash)) return null;
    // The retired key may have been forgotten during the look-up, because the table has it by now.
    if (forgotten !== this.forgotten) return this.authenticate(hash);
    this.holders.set(hash, holder);
    return holder;
  }

  remembers(hash: string): boolean {
    return this.holders.has(hash) && !this.retired.has(hash);
  }

  /** The table cannot be read, but the log perhaps can: then it says whether the key is still good. */
  private async remembered(hash: string, error: unknown): Promise<KeyHolder> {
    const known = this.holders.get(hash);
    if (known && error instanceof Unavailable && (await this.fresh.proven())) return known;
    throw error;
  }

  async merchant(merchant_id: string): Promise<MerchantHolder> {
    await this.following();
    const [row] = await this.runtime.readModels.query<MerchantRow>(FIND_MERCHANT, [merchant_id]);
    const mode = row?.has_live_key ? 'live' : 'test';
    return { ...(await this.ownerOf(merchant_id, row?.state ?? null)), mode };
  }

  used(key_id: string): void {
    this.usage.used(key_id);
  }

  lastUsed(key_id: string): number | null {
    return this.usage.lastUsed(key_id);
  }

  async knows(position: Position, timeout_ms: number): Promise<boolean> {
    const follower = await this.following();
    const known = await Promise.all([
      follower.reached(position, timeout_ms),
      this.runtime.readModels.waitFor('accounts', API_KEYS_FOLLOWER, position, timeout_ms),
    ]);
    return known.every(Boolean);
  }

  async retiredEverywhere(position: Position, timeout_ms: number): Promise<boolean> {
    const [is_known] = await Promise.all([
      this.knows(position, timeout_ms),
      this.fresh.outwaited(),
    ]);
    return is_known;
  }

  async close(): Promise<void> {
    const follower = await this.follower?.catch(() => null);
    await follower?.stop();
    await this.usage.close();
  }

  /** From the first question on, so that the tables exist. After a failed start the next question tries again. */
  private following(): Promise<Follower> {
    this.follower ??= this.follow().catch((error: unknown) => {
      this.follower = null;
      throw error;
    });
    return this.follower;
  }

  /** From the table's position: what the table holds need not be read again. */
  private async follow(): Promise<Follower> {
    const { eventStore, readModels } = this.runtime;
    const follower = eventStore.follow({
      name: 'accounts.key-directory',
      categories: ['merchant.all'],
      from: await savedPosition(readModels, 'accounts', API_KEYS_FOLLOWER),
      onEvents: (events) => this.take(events),
    });
    try {
      await follower.idle();
      return follower;
    } catch (error) {
      await follower.stop();
      throw error;
    }
  }

  private async take(events: readonly StoredEvent[]): Promise<void> {
    for (const { type, data, position } of events) {
      if (CHANGES_HOLDERS.includes(type)) {
        this.takeChange(data as { merchant_id: string }, position);
      }
      if (type !== 'ApiKeyRotated') continue;
      const { old_key_hash } = data as { readonly old_key_hash: string };
      this.retired.set(old_key_hash, position);
      this.holders.delete(old_key_hash);
    }
    if (this.retired.size > RETIRED_MAX) await this.forgetWhatTheTableKnows();
  }

  /** Look-ups that are under way may have read the row of before: they begin again. */
  private takeChange({ merchant_id }: { readonly merchant_id: string }, position: Position): void {
    this.forgotten += 1;
    this.changed.set(merchant_id, position);
    for (const [hash, holder] of this.holders.entries()) {
      if (holder.merchant_id === merchant_id) this.holders.delete(hash);
    }
  }

  private async forgetWhatTheTableKnows(): Promise<void> {
    const { eventStore, readModels } = this.runtime;
    const table = await savedPosition(readModels, 'accounts', API_KEYS_FOLLOWER);
    if (table === null) return;
    this.forgotten += 1;
    for (const [hash, position] of this.retired) {
      if (!eventStore.isBefore(table, position)) this.retired.delete(hash);
    }
  }

  private async find(hash: string): Promise<KeyHolder | null> {
    const [row] = await this.runtime.readModels.query<KeyRow>(FIND_KEY, [hash]);
    if (!row) return null;
    const owner = await this.ownerOf(row.merchant_id, row.state);
    return { ...owner, key_id: row.id, mode: row.mode };
  }

  /** `state`: the row, which may be behind what the log is known to say. */
  private async ownerOf(
    merchant_id: string,
    state: Merchant | null,
  ): Promise<Omit<MerchantHolder, 'mode'>> {
    const { runtime } = this;
    const since = this.changed.get(merchant_id);
    const owner =
      state && since === undefined
        ? state
        : await merchant.read(runtime, 'all', merchant_id, since ?? null);
    invariant(owner?.status === 'registered', 'keys and sessions belong to a registered merchant');
    const name = await runtime.keyRing.openPersonal(merchant_id, owner.name_sealed);
    return {
      merchant_id,
      merchant_name: name ?? '',
      wallet: owner.wallet_address,
      amount_max: owner.amount_max,
      limits: owner.limits,
    };
  }
}
