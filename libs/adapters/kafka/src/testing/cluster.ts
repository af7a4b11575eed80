import { logLevel, Partitioners, type Admin } from 'kafkajs';
import { kafkaClient } from '../connection/kafka-client';

const PATIENCE_MS = 120_000;
/** For clients of the tests: a broker that is slow is waited for. */
export const PATIENT = {
  connectionTimeout: PATIENCE_MS,
  requestTimeout: PATIENCE_MS,
  authenticationTimeout: PATIENCE_MS,
};

/** What an operator, or another client, does to the cluster. */
export function cluster(brokers: readonly string[]) {
  const kafka = kafkaClient({ brokers: [...brokers], logLevel: logLevel.NOTHING, ...PATIENT });

  return {
    deleteTopic: (topic: string) =>
      asAdmin((admin) => admin.deleteTopics({ topics: [topic], timeout: PATIENCE_MS })),
    groups: () =>
      asAdmin(async (admin) => (await admin.listGroups()).groups.map(({ groupId }) => groupId)),

    /** As retention does; the offsets go on. */
    deleteRecords: (topic: string) =>
      asAdmin(async (admin) => {
        const ends = await admin.fetchTopicOffsets(topic);
        const partitions = ends.map(({ partition, high }) => ({ partition, offset: high }));
        await admin.deleteTopicRecords({ topic, partitions });
      }),

    /** One record in each partition, then the mark of the transaction, which no client can read. */
    async writeTransaction(topic: string, value: string): Promise<void> {
      const producer = kafka.producer({
        ...{ transactionalId: topic, idempotent: true, maxInFlightRequests: 1 },
        createPartitioner: Partitioners.DefaultPartitioner,
      });
      await producer.connect();
      const transaction = await producer.transaction();
      const messages = [0, 1, 2].map((partition) => ({ partition, value }));
      await transaction.send({ topic, messages });
      await transaction.commit();
      await producer.disconnect();
    },
  };

  async function asAdmin<Result>(work: (admin: Admin) => Promise<Result>): Promise<Result> {
    const admin = kafka.admin();
    await admin.connect();
    try {
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  }
}
