import { Partitioners } from 'kafkajs';
import { homePartition } from './home-partition';

describe('the home partition of a key', () => {
  const others = Partitioners.DefaultPartitioner();

  it.each([1, 2, 3, 7, 50])('is the one that other clients choose, among %s', (partitions) => {
    const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => {
      return { partitionId, leader: 1, partitionErrorCode: 0, replicas: [1], isr: [1] };
    });
    const keys = Array.from({ length: 200 }, (_, n) => `payment.test-pay_${n}${'ä🜚x'.repeat(n % 5)}`);
    for (const key of ['', 'a', 'ab', 'abc', 'abcd', ...keys]) {
      const chosen = others({ topic: 't', partitionMetadata, message: { key, value: '' } });
      expect([key, homePartition(key, partitions)]).toEqual([key, chosen]);
    }
  });
});
