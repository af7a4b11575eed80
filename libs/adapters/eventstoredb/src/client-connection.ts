import { EventStoreDBClient } from '@eventstore/db-client';
import type { CallOptions, Channel, ClientReadableStream, Metadata } from '@grpc/grpc-js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';

const KEEP_ALIVE_TIMEOUT_MS = 10_000;
const RENEW_MIN_MS = 200;

interface CallBase {
  readonly requiresLeader: true;
  /** Milliseconds. */
  readonly deadline?: number;
}

/**
 * What the client builds its own commands from (protected, and the same in every 6.x): discovery, leader,
 * credentials. The commands themselves read JSON with `JSON.parse` (see `storedJson`), lose the order of
 * checkpoints and events, and cannot filter a read.
 */
export interface ClientInsides {
  execute<Result>(
    client: typeof StreamsClient,
    name: string,
    action: (client: StreamsClient) => Promise<Result>,
  ): Promise<Result>;
  GRPCStreamCreator<Message>(
    client: typeof StreamsClient,
    name: string,
    creator: (client: StreamsClient) => ClientReadableStream<Message>,
  ): () => Promise<ClientReadableStream<Message>>;
  callArguments(base: CallBase, options?: CallOptions): [Metadata, CallOptions];
  getChannel(): Promise<Channel>;
  dispose(): Promise<void>;
}

/** A client of the official library, and a new one after a connection was lost. */
export class ClientConnection {
  private client: ClientInsides;
  private made = 1;
  private made_ms = performance.now();

  constructor(private readonly connectionString: string) {
    this.client = this.make();
  }

  get current(): ClientInsides {
    return this.client;
  }

  /** Calls on `client` reached no server: the next ones get a connection of their own. */
  lost(client: ClientInsides): void {
    if (client !== this.client || performance.now() - this.made_ms < RENEW_MIN_MS) return;
    this.made += 1;
    this.made_ms = performance.now();
    this.client = this.make();
  }

  async close(): Promise<void> {
    await this.client.dispose();
    (await this.client.getChannel()).close();
  }

  /**
   * gRPC shares connections between channels of equal settings, and lets a failed one wait up to two minutes
   * before it is tried again. So each client's keep-alive differs from the last one's by a millisecond.
   */
  private make(): ClientInsides {
    const given = /[?&]keep[_-]?alive[_-]?timeout=(-?\d+)/i.exec(this.connectionString)?.[1];
    const timeout_ms = Number(given ?? KEEP_ALIVE_TIMEOUT_MS);
    const own = timeout_ms < 0 ? '' : `keepAliveTimeout=${timeout_ms + (this.made % 1_000)}`;
    const text = this.connectionString.trim().replace(/\/+$/, '');
    const joint = text.includes('?') ? '&' : '?';
    try {
      const client = EventStoreDBClient.connectionString(own ? `${text}${joint}${own}` : text);
      return client as unknown as ClientInsides;
    } catch (error) {
      // Its parser quotes the whole string, password included.
      const reason = error instanceof Error && /certificate|userKey/i.test(error.message);
      throw new Error(
        reason
          ? `the event store's connection string: ${(error as Error).message}`
          : 'the connection string of the event store cannot be read (esdb://user:password@host:2113?tls=true)',
      );
    }
  }
}
