import { Unavailable, type Delays } from '@tender/eventing';
import type { Message, Producer } from 'kafkajs';
import { CompressionTypes, Partitioners } from 'kafkajs';
import { CutOff } from '../connection/cut-off';
import { unlessLost } from '../connection/unless-lost';
import { kafkaFailure, type KafkaConnection } from '../connection/kafka-connection';
import { ensureTopics } from '../topics/topics';

/** Below the megabyte that a broker takes at once, whatever the escapes and headers add. */
const BYTES_MAX = 500_000;
/** Fewer cost more to pack, and to unpack for each consumer, than to send as they are. */
const PACKED_FROM_BYTES = 16_000;
const CLOSE_WAIT_MS = 2_000;

/** Writes to one topic, one request after the other; each is acknowledged by all replicas. */
export class RecordProducer {
  private producer: Producer | null = null;
  private turn: Promise<unknown> = Promise.resolve();
  private ended = false;
  private readonly writes = new CutOff();

  constructor(
    private readonly connection: KafkaConnection,
    private readonly topic: string,
    private readonly partitions: number,
    private readonly delays: Delays,
  ) {}

  /**
   * Resolves when all records are acknowledged. Throws `Unavailable` when that is not known: some may be in
   * the topic, and none of a later call come before them.
   */
  send(records: readonly Message[]): Promise<void> {
    const mine = this.turn.then(() => this.sendAll(records));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  /** What is under way may end; a broker that does not answer is not waited for. */
  async close(): Promise<void> {
    const cancel = this.delays.after(CLOSE_WAIT_MS, () => {
      this.ended = true;
      this.writes.cut(new Unavailable('kafka', { reason: 'the relay ends' }));
    });
    await this.turn;
    cancel();
    this.discard();
  }

  private async sendAll(records: readonly Message[]): Promise<void> {
    if (this.ended) throw new Unavailable('kafka', { reason: 'the relay ends' });
    try {
      await this.writes.until(this.write(records));
    } catch (error) {
      // Its sequence numbers may be ahead of the broker's: only a new producer is sure to be accepted.
      this.discard();
      throw kafkaFailure(error);
    }
  }

  private async write(records: readonly Message[]): Promise<void> {
    const { topic } = this;
    const producer = this.producer ?? (await unlessLost(this.delays, this.open()));
    for (const { messages, bytes } of bySize(records)) {
      const { GZIP, None } = CompressionTypes;
      const compression = bytes < PACKED_FROM_BYTES ? None : GZIP;
      await unlessLost(this.delays, producer.send({ topic, acks: -1, compression, messages }));
    }
  }

  private async open(): Promise<Producer> {
    await ensureTopics(this.connection, [this.topic], this.partitions);
    const producer = this.connection.kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await producer.connect();
    this.producer = producer;
    return producer;
  }

  /** Not waited for: kafkajs waits for the answers to come. What still arrives is a repeat. */
  private discard(): void {
    const { producer } = this;
    this.producer = null;
    void producer?.disconnect().catch(() => undefined);
  }
}

function* bySize(records: readonly Message[]) {
  let part = { messages: [] as Message[], bytes: 0 };
  for (const record of records) {
    const size = Buffer.byteLength(record.value as string);
    if (part.messages.length > 0 && part.bytes + size > BYTES_MAX) {
      yield part;
      part = { messages: [], bytes: 0 };
    }
    part.messages.push(record);
    part.bytes += size;
  }
  if (part.messages.length > 0) yield part;
}
