import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { soonestOf, type Bus, type Consumer, type PublicEvent, type SqlTransaction } from '@tender/eventing';
import type { Delivery, Hearing, ReactorExtras } from '@tender/http';
import { invariant } from '@tender/kernel';
import { isObservable, lastValueFrom } from 'rxjs';

/** By event type. */
type Handlers = Map<string, MessageHandler>;

/**
 * Brings the bus to Nest's event handlers. A handler's pattern is `<consumer>:<event type>`;
 * all patterns of one consumer share its subscription, checkpoint and transaction.
 */
export class BusTransport extends Server implements CustomTransportStrategy {
  private readonly consumers: Consumer[] = [];

  constructor(private readonly bus: Bus) {
    super();
  }

  /** Nothing is heard before `subscribe`: another process may be the one that hears. */
  override listen(callback: () => void): void {
    callback();
  }

  /** Nothing more is heard; `subscribe` may follow. */
  override async close(): Promise<void> {
    await Promise.all(this.consumers.splice(0).map((consumer) => consumer.stop()));
  }

  /** Everything public at the time of the call has been handled or parked by every consumer. */
  async idle(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => consumer.idle()));
  }

  /** Wall time (ms) of the next try of what a consumer has parked; null when none will be tried by itself. */
  async nextTry(): Promise<number | null> {
    return soonestOf(await Promise.all(this.consumers.map((consumer) => consumer.nextTry())));
  }

  override on(): never {
    throw new Error('the bus has no connection events of its own');
  }

  override unwrap<Unwrapped>(): Unwrapped {
    return this.bus as Unwrapped;
  }

  /** Resolves when every reactor has its subscription. `hearing`: what the bus tells consumers beside messages. */
  async subscribe(hearing: Readonly<Record<string, Hearing>> = {}): Promise<void> {
    const reactors = reactorsOf(this.getHandlers());
    for (const name of Object.keys(hearing)) invariant(reactors.has(name), `${name} is a consumer`);
    for (const [consumer, handlers] of reactors) {
      const handler = (batch: readonly PublicEvent[], tx: SqlTransaction) =>
        deliver(handlers, batch, { tx });
      const types = [...handlers.keys()];
      this.consumers.push(
        await this.bus.consume({ consumer, types, handler, ...hearing[consumer] }),
      );
    }
  }
}

function reactorsOf(handlers: ReadonlyMap<string, MessageHandler>): Map<string, Handlers> {
  const reactors = new Map<string, Handlers>();
  for (const [pattern, handler] of handlers) {
    const extras = handler.extras as ReactorExtras | undefined;
    invariant(extras?.consumer, `the reactor of ${pattern} is declared with @Reacts`);
    invariant(!handler.next, `${pattern} has one reactor only`);
    const reactor: Handlers = reactors.get(extras.consumer) ?? new Map();
    reactor.set(pattern.slice(extras.consumer.length + 1), handler);
    reactors.set(extras.consumer, reactor);
  }
  return reactors;
}

async function deliver(
  handlers: Handlers,
  batch: readonly PublicEvent[],
  delivery: Delivery,
): Promise<void> {
  for (const run of runsOf(handlers, batch)) {
    const handler = handlers.get((run[0] as PublicEvent).type);
    invariant(handler, 'the bus hands over the types that were asked for');
    // Awaiting the handler alone resolves even when it failed: Nest answers with an Observable error.
    const answer: unknown = await handler(run, delivery);
    if (isObservable(answer)) await lastValueFrom(answer, { defaultValue: undefined });
  }
}

/** Of one type, or of those that a method takes mixed. */
function runsOf(handlers: Handlers, batch: readonly PublicEvent[]): PublicEvent[][] {
  const runs: PublicEvent[][] = [];
  let types: readonly string[] = [];
  for (const event of batch) {
    if (types.includes(event.type)) {
      runs.at(-1)?.push(event);
      continue;
    }
    runs.push([event]);
    const extras = handlers.get(event.type)?.extras as ReactorExtras | undefined;
    types = [event.type, ...(extras?.mixed ?? [])];
  }
  return runs;
}
