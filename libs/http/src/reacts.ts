import { applyDecorators, Catch, UseFilters, type RpcExceptionFilter } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import type { PublicType } from '@tender/contracts';
import type { CommandOrigin, PublicEvent, Sql, StreamMode } from '@tender/eventing';
import { throwError, type Observable } from 'rxjs';

/** Second argument of a reactor, from the bus (`@Ctx()`). */
export interface Delivery {
  /** Also holds the consumer's checkpoint: what is written here happens once. */
  readonly tx: Sql;
}

/** What a reactor may be told of while it waits: settled 3 needs to know how far the bus has come. */
export interface ReactorExtras {
  readonly consumer: string;
  readonly onProgress?: (mode: StreamMode, wall_ms: number) => void;
  readonly onTakeOver?: (mode: StreamMode) => void;
}

/** Nest would put "Internal server error" in the place of what went wrong; the bus needs to know. */
@Catch()
class PassErrorsToBus implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Subscribes a method to public events: `react(@Payload() batch: PublicEvent[], @Ctx() delivery: Delivery)`.
 * A batch is a run of events of one type, oldest first. Each consumer has its own checkpoint (settled 14).
 */
export const Reacts = (
  consumer: string,
  types: readonly PublicType[],
  extras: Omit<ReactorExtras, 'consumer'> = {},
): MethodDecorator =>
  applyDecorators(
    EventPattern(
      types.map((type) => `${consumer}:${type}`),
      { consumer, ...extras } satisfies ReactorExtras,
    ),
    UseFilters(PassErrorsToBus),
  );

/** The origin of a command that follows from an event: the same event twice is the same command. */
export const originOfEvent = (event: PublicEvent, reactor: string): CommandOrigin => ({
  command_id: `${reactor}:${event.id}`,
  body_hash: null,
  merchant_id: event.merchant_id,
  actor: `system:${reactor}`,
  correlation_id: event.correlation_id,
  causation_id: event.causation_id,
});
