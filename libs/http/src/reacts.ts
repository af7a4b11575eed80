import {
  applyDecorators,
  Catch,
  SetMetadata,
  UseFilters,
  type RpcExceptionFilter,
} from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import type { DataOf, Fact } from '@tender/contracts';
import type { CommandOrigin, PublicEvent, SqlTransaction, Subscription } from '@tender/eventing';
import { throwError, type Observable } from 'rxjs';

/** Second argument of a reactor, from the bus (`@Ctx()`). */
export interface Delivery {
  /** Also holds the consumer's checkpoint: what is written here happens once. */
  readonly tx: SqlTransaction;
}

/** What the bus tells a context beside the messages of a consumer: how far the bus has come, and whose work it is. */
export type Hearing = Pick<Subscription, 'awaits' | 'onProgress' | 'onTakeOver'>;

/** What a method that reacts is known by. */
export interface ReactorExtras {
  readonly consumer: string;
  /** Of the events that it takes in one batch with those of another of these types. */
  readonly mixed: readonly string[];
}

/** A public event that tells one of these facts: `Heard<typeof paymentCreated>`. */
export type Heard<One extends Fact> = One extends Fact
  ? PublicEvent<DataOf<One>> & { readonly type: One['type'] }
  : never;

/** Holds a reactor to the data of the facts that it hears. */
type ReactorDecorator<One extends Fact> = <
  Method extends (batch: readonly Heard<One>[], delivery: Delivery) => unknown,
>(
  target: object,
  name: string | symbol,
  method: TypedPropertyDescriptor<Method>,
) => void;

/** Nest would put "Internal server error" in the place of what went wrong; the bus needs to know. */
@Catch()
class PassErrorsToBus implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

export const REACTS_METADATA = 'tender:reacts';

/**
 * Subscribes a method to facts: `react(@Payload() batch: readonly Heard<typeof paymentCreated>[], @Ctx() delivery:
 * Delivery)`. A batch is a run of events, oldest first: of one type, or of all of these with `mixed`, for a method that
 * keeps the order of what belongs together. Each consumer has its own checkpoint.
 */
export const Reacts = <One extends Fact>(
  consumer: string,
  facts: readonly One[],
  { mixed = false }: { readonly mixed?: boolean } = {},
): ReactorDecorator<One> => {
  const types = facts.map(({ type }) => type);
  return applyDecorators(
    EventPattern(
      types.map((type) => `${consumer}:${type}`),
      { consumer, mixed: mixed ? types : [] } satisfies ReactorExtras,
    ),
    SetMetadata(REACTS_METADATA, { consumer, types }),
    UseFilters(PassErrorsToBus),
  );
};

/** The origin of a command that follows from an event: the same event twice is the same command. */
export const originOfEvent = (event: PublicEvent, reactor: string): CommandOrigin => ({
  command_id: `${reactor}:${event.id}`,
  body_hash: null,
  merchant_id: event.merchant_id,
  actor: `system:${reactor}`,
  correlation_id: event.correlation_id,
  causation_id: event.causation_id,
});
