import { convertToCommandError, NotLeaderError, UnavailableError } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { Unavailable } from '@tender/eventing';
import { status, type ClientReadableStream, type StatusObject } from '@grpc/grpc-js';
import { ClientConnection, type ClientInsides } from './client-connection';
import { namedFailure, PART } from './store-failures';

const LEADERS_MAX = 3;

type Messages = ClientReadableStream<ReadResp>;

/** The calls that the adapter makes, all of the leader: what it answers is what holds. */
export class LogClient {
  private readonly connection: ClientConnection;

  constructor(connectionString: string) {
    this.connection = new ClientConnection(connectionString);
  }

  /** Throws `Unavailable` after `timeout_ms`, though the append may still come to pass. */
  append(messages: readonly AppendReq[], timeout_ms: number): Promise<AppendResp> {
    const deadline = performance.now() + timeout_ms;
    const answer = this.ofLeader((client) =>
      client.execute(StreamsClient, 'append', (streams) => {
        const left_ms = deadline - performance.now();
        if (left_ms <= 0) return Promise.reject(late(timeout_ms));
        return new Promise<AppendResp>((resolve, reject) => {
          const call = streams.append(
            ...client.callArguments({ requiresLeader: true, deadline: left_ms }),
            (error, response) => (error ? reject(error) : resolve(response)),
          );
          call.on('error', reject);
          for (const message of messages) call.write(message);
          call.end();
        });
      }),
    );
    return within(answer, timeout_ms);
  }

  /** Everything that a read answers. */
  async *read(request: ReadReq, timeout_ms: number): AsyncGenerator<ReadResp> {
    const call = await within(this.open(request, timeout_ms), timeout_ms);
    try {
      for await (const message of call) yield message as ReadResp;
      whole(call);
    } catch (error) {
      throw this.noted(error);
    } finally {
      hangUp(call);
    }
  }

  /** The messages of a subscription, without end. */
  subscribe(request: ReadReq): Promise<Messages> {
    return this.open(request, Number.POSITIVE_INFINITY);
  }

  /** An error of a call, by its name; what it says of the connection is kept in mind. */
  noted(error: unknown, client = this.connection.current): unknown {
    const named = error instanceof Error ? convertToCommandError(error) : error;
    if (named instanceof UnavailableError) this.connection.lost(client);
    return namedFailure(named);
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private open(request: ReadReq, timeout_ms: number): Promise<Messages> {
    return this.ofLeader((client) =>
      client.GRPCStreamCreator<ReadResp>(StreamsClient, 'read', (streams) =>
        watched(
          streams.read(
            request,
            ...(Number.isFinite(timeout_ms)
              ? client.callArguments({ requiresLeader: true, deadline: timeout_ms })
              : client.callArguments({ requiresLeader: true }, { deadline: timeout_ms })),
          ),
        ),
      )(),
    );
  }

  /** A node that does not lead names the one that does, and the client goes there: nothing has happened. */
  private async ofLeader<Result>(
    call: (client: ClientInsides) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const client = this.connection.current;
      try {
        return await call(client);
      } catch (error) {
        const named = error instanceof Error ? convertToCommandError(error) : error;
        if (named instanceof NotLeaderError && attempt < LEADERS_MAX) continue;
        throw this.noted(named, client);
      }
    }
  }
}

const endings = new WeakMap<Messages, StatusObject>();

/** Keeps how a call ended, from its first moment on: an error before the first read would go unheard. */
function watched(call: Messages): Messages {
  call.once('status', (ending: StatusObject) => endings.set(call, ending));
  call.on('error', () => undefined);
  return call;
}

/** Throws unless the server has said that this was everything. */
function whole(call: Messages): void {
  const ending = endings.get(call);
  if (ending?.code === status.OK) return;
  const reason = ending ? `${ending.code} ${ending.details}` : 'no status';
  throw Object.assign(new Error(`a read was cut short: ${reason}`), ending);
}

/** Without a word of it: a call that was hung up ends with an error of its own. */
export function hangUp(call: Messages): void {
  call.on('error', () => undefined);
  call.cancel();
}

const late = (timeout_ms: number): Unavailable =>
  new Unavailable(PART, { reason: `no answer in ${timeout_ms} ms` });

/** The search for a node can take longer than the call itself may. */
function within<Result>(answer: Promise<Result>, timeout_ms: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late(timeout_ms)), timeout_ms + 50).unref();
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
