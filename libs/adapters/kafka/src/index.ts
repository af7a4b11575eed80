export { kafkaBus, type KafkaBusOptions } from './kafka-bus';
export type { KafkaSecurity } from './kafka-connection';
export { kafkaRelay, type KafkaRelay, type KafkaRelayOptions } from './kafka-relay';
export { topicName, type Speaker } from './topics';
export { kafkaLanes, type KafkaLanes } from './lanes';
