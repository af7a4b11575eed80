import type { PublicEvent, Publishing, StreamMode } from '@tender/eventing';
import { homePartition } from './home-partition';
import { PARTITIONS, speakerOf, topicsOf } from './topics';

/** What a consumer's checkpoints and parked messages are kept by: a partition of a context's topic. */
export const laneName = (context: string, partition: number): string => `${context}/${partition}`;

/** Under which name a relay keeps its checkpoint. */
export const relayName = (context: string, mode: StreamMode): string => `relay.${context}:${mode}`;

/** How this bus parts what one process did alone: `tender ops migrate-log` hands its consumers over by it. */
export interface KafkaLanes {
  /** Of every consumer of the mode. */
  readonly lanes: (mode: StreamMode) => readonly string[];
  /** Where the relay would put it. */
  readonly laneOf: (message: PublicEvent) => string;
  readonly relays: readonly {
    readonly schema: string;
    readonly follower: string;
    readonly mode: StreamMode;
  }[];
}

/** `partitions` as the bus and the relays have them; 3 by default. */
export function kafkaLanes(
  contexts: readonly Publishing[],
  partitions: number = PARTITIONS,
): KafkaLanes {
  const topics = topicsOf(contexts.map(speakerOf));
  return {
    lanes: (mode) =>
      topics
        .filter((topic) => topic.mode === mode)
        .flatMap(({ context }) =>
          Array.from({ length: partitions }, (_, partition) => laneName(context, partition)),
        ),
    laneOf: ({ type, key }) =>
      laneName(type.slice(0, type.indexOf('.')), homePartition(key, partitions)),
    relays: contexts.flatMap((context) =>
      topicsOf([speakerOf(context)]).map(({ mode }) => ({
        schema: context.schema,
        follower: relayName(context.name, mode),
        mode,
      })),
    ),
  };
}
