import { createHmac } from 'node:crypto';
import { guardedOutbound } from '@tender/adapter-outbound';
import { memoryEventStore, seededRandom, silentLog } from '@tender/adapter-memory';
import { postgresReadModels } from '@tender/adapter-postgres';
import type { PaymentFact, PaymentSnapshot, PublicType, RequestContext } from '@tender/contracts';
import {
  followProjections,
  newLeaseOwner,
  noTelemetry,
  OfLeader,
  type KeyRing,
  type Outbound,
  type PublicEvent,
  type Runtime,
} from '@tender/eventing';
import { waitLong } from '@tender/eventing/testing';
import { isoTime, type Mode } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { startTestPostgres, type TestPostgres } from '@tender/adapter-postgres/testing';
import { ConfigureWebhookHttp } from '../configure-endpoint/configure-webhook.http';
import { KnownEndpoints } from '../plan-deliveries/known-endpoints';
import { PlanDeliveries } from '../plan-deliveries/plan-deliveries.reactor';
import { WebhookSender } from '../send-deliveries/webhook-sender.worker';
import type { WebhookDispatcher } from '../webhook-dispatcher';
import { webhookDispatcherContext } from '../webhook-dispatcher.context';

/** Seals by reversing: nothing here is secret. */
const openKeyRing: KeyRing = {
  idBytes: (scope) => createHmac('sha256', 'ids').update(scope).digest(),
  dayBytes: (_, scope) => createHmac('sha256', 'day').update(scope).digest(),
  sealPersonal: () => Promise.reject(new Error('not used here')),
  openPersonal: () => Promise.reject(new Error('not used here')),
  seal: (context, plaintext) => `${context}|${Buffer.from(plaintext).toString('hex')}`,
  open(context, sealed) {
    if (!sealed.startsWith(`${context}|`)) throw new Error('sealed for something else');
    return Buffer.from(sealed.slice(context.length + 1), 'hex').toString();
  },
  witness: () => undefined,
  witnessed: () => [],
};

export const LEASE_OWNER_HERE = newLeaseOwner('of-these-routes');
const wall = (): number => Math.trunc(performance.timeOrigin + performance.now());

/** A response that remembers its headers. */
export function replyDouble() {
  const headers: Record<string, string> = {};
  const reply = {
    header(name: string, value: string) {
      headers[name.toLowerCase()] = value;
      return reply;
    },
  };
  return { reply: reply as unknown as FastifyReply, headers };
}

/** The whole context over a real Postgres, a memory log and real sockets; the test plays the bus. */
export class Dispatcher {
  private static server: TestPostgres | null = null;
  private offset_ms = 0;
  private stands_at: number | null = null;
  private made = 0;
  private constructor(
    readonly runtime: Runtime,
    readonly sender: WebhookSender,
    /** As routes and the planner hold it. */
    readonly leading: OfLeader<WebhookDispatcher>,
    readonly planner: PlanDeliveries,
    private readonly closers: (() => Promise<unknown>)[],
  ) {}

  static async start(outbound?: Outbound): Promise<Dispatcher> {
    Dispatcher.server ??= await startTestPostgres();
    const { schema, migrations, projections } = webhookDispatcherContext;
    const readModels = postgresReadModels({
      connectionString: await Dispatcher.server.database(),
      schemas: [schema],
      migrations,
      log: silentLog,
      // Enough for all at once: waiting for a connection is given up after two seconds.
      pool_max: 32,
    });
    waitLong({ readModels });
    await readModels.start();
    const eventStore = memoryEventStore();
    const guarded = guardedOutbound({ allowLoopback: true, log: silentLog });
    const clock = { now: () => (dispatcher.stands_at ?? wall()) + dispatcher.offset_ms, wall };
    const runtime = {
      eventStore,
      readModels,
      clock,
      random: seededRandom(),
      keyRing: openKeyRing,
      outbound: outbound ?? guarded,
      log: silentLog,
      telemetry: noTelemetry,
    } as unknown as Runtime;
    const followers = followProjections({ ...runtime, schema, projections });
    await followers.start();
    const owner = newLeaseOwner('of-this-sender');
    const sender = new WebhookSender(runtime, owner, LEASE_OWNER_HERE);
    const leading = new OfLeader<WebhookDispatcher>('webhook dispatcher');
    leading.begin({ sender, endpoints: new KnownEndpoints(clock) });
    const planner = new PlanDeliveries(runtime, leading);
    const dispatcher: Dispatcher = new Dispatcher(runtime, sender, leading, planner, [
      () => sender.stop(),
      () => followers.stop(),
      () => guarded.close(),
      () => eventStore.close(),
      () => readModels.close(),
    ]);
    await sender.start();
    return dispatcher;
  }

  static async stopServer(): Promise<void> {
    await Dispatcher.server?.stop();
    Dispatcher.server = null;
  }

  async stop(): Promise<void> {
    for (const close of this.closers) await close();
  }

  /** From here on business time moves by `advance` alone: nothing falls due because a test is slow. */
  standStill(): void {
    this.stands_at = wall();
  }

  /** Moves business time, and waits until what fell due has been attempted. */
  async advance(by_ms: number): Promise<void> {
    this.offset_ms += by_ms;
    await this.sender.idle();
  }

  caller(merchant_id: string, mode: Mode = 'test'): RequestContext {
    this.made += 1;
    const command_id = `command-${this.made}`;
    return {
      merchant_id,
      mode,
      command_id,
      body_hash: command_id,
      actor: 'key:k1',
      correlation_id: command_id,
    } as RequestContext;
  }

  /** Returns the new secret. */
  async configure(
    merchant_id: string,
    webhook_url: string | null,
    mode: Mode = 'test',
  ): Promise<string> {
    const http = new ConfigureWebhookHttp(this.runtime, this.leading);
    const { reply } = replyDouble();
    const answer = await http.configure(this.caller(merchant_id, mode), { webhook_url }, reply);
    return answer.webhook_secret;
  }

  /** As the bus would, in one transaction. */
  async plan(...batch: readonly PublicEvent<object>[]): Promise<void> {
    await this.runtime.readModels.transaction((tx) => this.planner.react(batch, { tx }));
  }

  paymentEvent(
    merchant_id: string,
    payment_id: string,
    options: PaymentEventOptions = {},
  ): PublicEvent<PaymentFact> {
    const { type = 'payments.payment-created.v1', mode = 'test', webhook_url = null } = options;
    const { description } = options;
    this.made += 1;
    const time = isoTime(this.runtime.clock.now());
    const payment = { id: payment_id, merchant_id, amount_usd: 10, mode, description };
    return {
      type,
      id: `public-${this.made}`,
      mode,
      key: `payment.${mode}-${payment_id}`,
      sequence: this.made,
      merchant_id,
      correlation_id: 'c',
      causation_id: 'c',
      occurred_at: time,
      recorded_at: time,
      data: {
        payment: payment as PaymentSnapshot,
        webhook_url,
      },
    };
  }
}

interface PaymentEventOptions {
  readonly type?: PublicType;
  readonly mode?: Mode;
  readonly webhook_url?: string | null;
  readonly description?: string;
}
