import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js';
import {
  ServerFeaturesService,
} from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { FaultSwitch } from '../faults';
import type { EventLog } from '../log/event-log';
import { serveAppend } from './append-call';
import { unimplemented } from './failures';
import { serveRead } from './read-call';

export interface Serving {
  readonly port: number;
  /** Ends every call at once. */
  close(): void;
}

/** Listens on the loopback interface; port 0 takes any that is free. */
export async function serve(log: EventLog, faults: FaultSwitch, port: number): Promise<Serving> {
  const server = new Server({ 'grpc.max_receive_message_length': 17 << 20 });
  const deny = (what: string) => (_call: unknown, answer: sendUnaryData<never>) =>
    answer(unimplemented(what));
  server.addService(StreamsService, {
    read: serveRead(log, faults),
    append: serveAppend(log, faults),
    delete: deny('deleting a stream'),
    tombstone: deny('a tombstone'),
    batchAppend: (call: { emit(event: 'error', error: Error): boolean }) =>
      call.emit('error', unimplemented('a batch append')),
  });
  server.addService(ServerFeaturesService, {
    getSupportedMethods: (_call: unknown, answer: sendUnaryData<SupportedMethods>) =>
      answer(null, supportedMethods()),
  });
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, taken) =>
      error ? reject(error) : resolve(taken),
    );
  });
  return { port: bound, close: () => server.forceShutdown() };
}

function supportedMethods(): SupportedMethods {
  const supported = new SupportedMethods();
  supported.setEventStoreServerVersion('0.0.0-double');
  for (const name of ['read', 'append']) {
    const method = new SupportedMethod();
    method.setServiceName('event_store.client.streams.Streams');
    method.setMethodName(name);
    supported.addMethods(method);
  }
  return supported;
}
