import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { modeOf, paymentIds } from '@tender/contracts';
import {
  idOf,
  recentlyUsed,
  savedPosition,
  type Follower,
  type Runtime,
  type StoredEvent,
  type StreamName,
} from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import type { Mode } from '@tender/kernel';
import { payment } from '../payment-details/payment.aggregate';
import { statusAfter, statusOf, type KnownStatus } from './known-status';

const STATUSES_MAX = 50_000;

interface Load {
  /** An event of the payment came meanwhile: what was read may be old, and is not kept. */
  overtaken: boolean;
  status: Promise<KnownStatus | null>;
}

export type StatusListener = (status: KnownStatus) => void;

/**
 * The status of every payment that is being polled or listened to, in memory. It follows the log, so neither a poll
 * nor a listener costs a query; what is not there is folded from its stream, never from a row that may be behind.
 */
@Injectable()
export class PaymentStatuses implements OnModuleDestroy {
  private readonly known = recentlyUsed<KnownStatus>(STATUSES_MAX);
  private readonly loading = new Map<string, Load>();
  private readonly listeners = new Map<string, Set<StatusListener>>();
  private followers: Promise<readonly Follower[]> | null = null;

  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** In memory, or null. */
  peek(payment_id: string): KnownStatus | null {
    return this.known.get(payment_id) ?? null;
  }

  /** Null when there is no such payment. Polls of one payment share a look-up. */
  async find(payment_id: string): Promise<KnownStatus | null> {
    await this.following();
    const known = this.peek(payment_id);
    const mode = modeOf(paymentIds, payment_id);
    if (known || mode === null) return known;

    const running = this.loading.get(payment_id);
    if (running) return running.status;
    const load: Load = { overtaken: false, status: Promise.resolve(null) };
    load.status = this.load(payment.stream(mode, payment_id), load).finally(() =>
      this.loading.delete(payment_id),
    );
    this.loading.set(payment_id, load);
    return load.status;
  }

  /** Tells of every event of the payment from now on, in order; answers how to end that. */
  listen(payment_id: string, listener: StatusListener): () => void {
    const listeners = this.listeners.get(payment_id) ?? new Set();
    this.listeners.set(payment_id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.listeners.get(payment_id) === listeners) {
        this.listeners.delete(payment_id);
      }
    };
  }

  private async load(stream: StreamName, load: Load): Promise<KnownStatus | null> {
    const status = statusOf(await this.runtime.eventStore.load(stream));
    if (status && !load.overtaken) this.keep(idOf(stream), status);
    return status;
  }

  async onModuleDestroy(): Promise<void> {
    const followers = await this.followers?.catch(() => []);
    await Promise.all((followers ?? []).map((follower) => follower.stop()));
  }

  private keep(payment_id: string, fresh: KnownStatus): void {
    const kept = this.known.peek(payment_id);
    if (!kept || kept.revision < fresh.revision) this.known.set(payment_id, fresh);
  }

  /** From the first poll on, so that the tables exist. A failed start is tried again by the next. */
  private following(): Promise<readonly Follower[]> {
    this.followers ??= Promise.all([this.follow('test'), this.follow('live')]).catch(
      (error: unknown) => {
        this.followers = null;
        throw error;
      },
    );
    return this.followers;
  }

  /** Caught up before the first answer, so that no status goes back to an older one. */
  private async follow(mode: Mode): Promise<Follower> {
    const { eventStore, readModels } = this.runtime;
    const follower = eventStore.follow({
      name: `payments.payment-statuses:${mode}`,
      categories: [`payment.${mode}`],
      from: await savedPosition(readModels, payment.view.schema, payment.view.follower(mode)),
      pace_ms: 20,
      onEvents: async (events) => events.forEach((event) => this.take(event)),
    });
    await follower.idle();
    return follower;
  }

  private take(event: StoredEvent): void {
    const payment_id = idOf(event.stream);
    const load = this.loading.get(payment_id);
    if (load) load.overtaken = true;
    const kept = this.known.peek(payment_id) ?? null;
    const status = statusAfter(event, kept);
    // Without what was before, only a look-up tells since when it is so.
    if (kept || event.revision === 0) this.keep(payment_id, status);
    for (const listener of [...(this.listeners.get(payment_id) ?? [])]) listener(status);
  }
}
