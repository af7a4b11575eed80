export { kafkaBus, type KafkaBusOptions } from './consuming/kafka-bus';
export { kafkaClient } from './connection/kafka-client';
export type { KafkaSecurity } from './connection/kafka-connection';
export { kafkaRelay, type KafkaRelay, type KafkaRelayOptions } from './relay/kafka-relay';
export { topicName, type Speaker } from './topics/topics';
export { kafkaLanes, type KafkaLanes } from './topics/lanes';
