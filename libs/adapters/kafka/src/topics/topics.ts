import type { Category, Publishing, StreamMode } from '@tender/eventing';
import type { KafkaConnection } from '../connection/kafka-connection';

/** Where the public events of one context and mode are. */
export interface Topic {
  readonly name: string;
  readonly context: string;
  readonly mode: StreamMode;
}

/** Of a topic that is made, by default. */
export const PARTITIONS = 3;

/** Long enough for a consumer that was away; the log keeps everything, a topic is only the way to others. */
const RETENTION_MS = 7 * 24 * 60 * 60 * 1_000;

/** `test.payments.events`; `namespace` stands before it where several systems share a cluster. */
export const topicName = (mode: StreamMode, context: string, namespace = ''): string =>
  `${namespace}${mode}.${context}.events`;

/** A context with public events, as its listeners know it. */
export interface Speaker {
  readonly name: string;
  readonly modes: readonly StreamMode[];
}

/** What the context says, as its listeners know it. */
export const speakerOf = ({ name, publishes }: Publishing): Speaker => ({
  name,
  modes: [...new Set(publishes.categories.map(modeOfCategory))],
});

/** The topics of these contexts, in each of their modes. */
export function topicsOf(speakers: readonly Speaker[], namespace = ''): readonly Topic[] {
  return speakers.flatMap(({ name, modes }) =>
    modes.map((mode) => ({ name: topicName(mode, name, namespace), context: name, mode })),
  );
}

/** `payment.test` is of mode `test`. */
export const modeOfCategory = (category: Category): StreamMode =>
  category.slice(category.lastIndexOf('.') + 1) as StreamMode;

/** Makes what is missing; topics that are there stay as they are. */
export async function ensureTopics(
  connection: KafkaConnection,
  names: readonly string[],
  partitions: number,
): Promise<void> {
  await connection.admin(async (admin) => {
    const there = new Set(await admin.listTopics());
    const missing = names.filter((name) => !there.has(name));
    if (missing.length === 0) return;
    await admin.createTopics({
      waitForLeaders: true,
      topics: missing.map((topic) => ({
        topic,
        numPartitions: partitions,
        configEntries: [{ name: 'retention.ms', value: String(RETENTION_MS) }],
      })),
    });
  });
}
