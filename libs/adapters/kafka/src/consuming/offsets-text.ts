import type { Position } from '@tender/eventing';

/** How far a consumer has come in a partition. */
export interface ReachedOffset {
  /** Every record before it was handled or parked. */
  readonly offset: bigint;
  /** The checkpoint in the database then. */
  readonly checkpoint: Position | null;
}

export type OffsetsByConsumer = ReadonlyMap<string, ReachedOffset>;

/** As Kafka keeps them beside the group's own offset. It takes 4,096 bytes: some sixty consumers. */
export const textOfOffsets = (offsets: OffsetsByConsumer): string =>
  JSON.stringify(
    Object.fromEntries(
      [...offsets].map(([consumer, { offset, checkpoint }]) => [
        consumer,
        [String(offset), checkpoint],
      ]),
    ),
  );

/** Empty where nothing is kept, or what another program has written. */
export function offsetsOfText(text: string | null): OffsetsByConsumer {
  try {
    return new Map(
      Object.entries(JSON.parse(text || '{}') as Record<string, [string, Position | null]>).map(
        ([consumer, [offset, checkpoint]]) => [consumer, { offset: BigInt(offset), checkpoint }],
      ),
    );
  } catch {
    return new Map();
  }
}
