/** The broker that KAFKA_BROKERS names, a container, or Kafka's own jars. */
export type KafkaSource = 'given' | 'docker' | 'jars';

export interface RunningKafka {
  /** `host:port` */
  readonly brokers: readonly string[];
  readonly source: KafkaSource;
  /** Of the Java process; null when the broker is not a child of this process. */
  readonly pid: number | null;
  /** How it ended. One that is not a child of this process ends when it is stopped. */
  readonly ended: Promise<string>;
  /** The last of what it has written to stderr. */
  said(): string;
  stop(): Promise<void>;
  /** Ends it as a crash would. A start on the same `dataDir` has everything that was acknowledged. */
  kill(): Promise<void>;
}

/** A broker that is no child of this process. */
export function kafkaElsewhere(
  brokers: readonly string[],
  source: KafkaSource,
  end: () => Promise<unknown>,
): RunningKafka {
  let tell: (how: string) => void;
  const ended = new Promise<string>((resolve) => (tell = resolve));
  const stop = async (): Promise<void> => {
    await end();
    tell('stopped');
  };
  return { ...{ brokers, source, ended, stop }, pid: null, said: () => '', kill: stop };
}
