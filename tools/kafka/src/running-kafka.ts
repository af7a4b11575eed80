/** The broker that KAFKA_BROKERS names, a container, or Kafka's own jars. */
export type KafkaSource = 'given' | 'docker' | 'jars';

export interface RunningKafka {
  /** `host:port` */
  readonly brokers: readonly string[];
  readonly source: KafkaSource;
  /** Of the Java process; null when the broker is not a child of this process. */
  readonly pid: number | null;
  stop(): Promise<void>;
  /** Ends it as a crash would. A start on the same `dataDir` has everything that was acknowledged. */
  kill(): Promise<void>;
}
