import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { modeOf, paymentIds, type PaymentStatusAnswer } from '@tender/contracts';
import {
  idOf,
  ownEvent,
  ownEvents,
  savedPosition,
  type Follower,
  type Runtime,
  type StoredEvent,
  type StreamName,
} from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import type { Mode } from '@tender/kernel';
import {
  evolvePayment,
  paymentAfter,
  UNKNOWN_PAYMENT,
  type KnownPayment,
  type Payment,
  type PaymentEvent,
} from '@tender/payments-domain';
import { LRUCache } from 'lru-cache';
import { payment } from '../payment-details/payment.aggregate';

const STATUSES_MAX = 50_000;

interface Known {
  /** Of the event that it was made from. */
  readonly revision: number;
  readonly answer: PaymentStatusAnswer;
}

interface Load {
  /** An event of the payment came meanwhile: what was read may be old, and is not kept. */
  overtaken: boolean;
  answer: Promise<PaymentStatusAnswer | null>;
}

/**
 * The status of every payment that is being polled, in memory. It follows the log, so a poll costs no
 * query; what is not there is folded from its stream, never from a row that may be behind.
 */
@Injectable()
export class PaymentStatuses implements OnModuleDestroy {
  private readonly known = new LRUCache<string, Known>({ max: STATUSES_MAX });
  private readonly loading = new Map<string, Load>();
  private followers: Promise<readonly Follower[]> | null = null;

  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** In memory, or null. */
  peek(payment_id: string): PaymentStatusAnswer | null {
    return this.known.get(payment_id)?.answer ?? null;
  }

  /** Null when there is no such payment. Polls of one payment share a look-up. */
  async find(payment_id: string): Promise<PaymentStatusAnswer | null> {
    await this.following();
    const known = this.peek(payment_id);
    const mode = modeOf(paymentIds, payment_id);
    if (known || mode === null) return known;

    const running = this.loading.get(payment_id);
    if (running) return running.answer;
    const load: Load = { overtaken: false, answer: Promise.resolve(null) };
    load.answer = this.load(payment.stream(mode, payment_id), load).finally(() =>
      this.loading.delete(payment_id),
    );
    this.loading.set(payment_id, load);
    return load.answer;
  }

  private async load(stream: StreamName, load: Load): Promise<PaymentStatusAnswer | null> {
    const events = await this.runtime.eventStore.load(stream);
    const known = ownEvents<PaymentEvent>(events).reduce<Payment>(evolvePayment, UNKNOWN_PAYMENT);
    if (known.status === 'unknown') return null;
    const answer = answerOf(known);
    if (!load.overtaken) this.keep(idOf(stream), { revision: events.length - 1, answer });
    return answer;
  }

  async onModuleDestroy(): Promise<void> {
    const followers = await this.followers?.catch(() => []);
    await Promise.all((followers ?? []).map((follower) => follower.stop()));
  }

  private keep(payment_id: string, fresh: Known): void {
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
    const after = paymentAfter(ownEvent(event));
    this.keep(payment_id, { revision: event.revision, answer: answerOf(after) });
  }
}

const answerOf = ({ status, transaction_signature, terms }: KnownPayment): PaymentStatusAnswer => ({
  id: terms.payment_id,
  status,
  transaction_signature,
});
