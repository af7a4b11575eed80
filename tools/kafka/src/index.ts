export { canHaveJars } from './jars';
export { findKafka, startKafka } from './start-kafka';
export type { RunningKafka } from './running-kafka';
export type { StartKafkaOptions } from './start-kafka';
export type { Ports } from './server-properties';
