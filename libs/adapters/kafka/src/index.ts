export { kafkaBus, type KafkaBusOptions } from './kafka-bus';
export { kafkaRelay, type KafkaRelay, type KafkaRelayOptions } from './kafka-relay';
export { RELAY_PROGRESS } from './cloud-event';
export type { KafkaConnection } from './kafka-connection';
export { topicName, type Speaker } from './topics';
export { kafkaLanes, type KafkaLanes } from './lanes';
