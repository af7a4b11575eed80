export { canHaveJars } from './jars';
export { findKafka, startKafka } from './start-kafka';
export type { RunningKafka, StartKafkaOptions } from './start-kafka';
export type { Ports } from './server-properties';
