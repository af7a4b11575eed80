import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type ClientHttp2Session } from 'node:http2';
import { Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { AppendReq } from '@eventstore/db-client/generated/streams_pb';

/** The first event of an append of several, from a client that dies before it has sent the next one. */
export async function halfSentAppend(connection_string: string, stream: string): Promise<void> {
  const { host } = new URL(connection_string);
  const session = connect(`http://${host}`);
  session.on('error', () => undefined);
  const call = session.request({
    ':method': 'POST',
    ':path': '/event_store.client.streams.Streams/Append',
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  call.on('error', () => undefined);
  await once(session, 'connect');
  const sent = Buffer.concat([headOf(stream), firstEvent()].map(framed));
  await new Promise<void>((resolve) => call.write(sent, () => resolve()));
  // A server that answers a ping has read what was sent before it: without that it would have nothing to take. The
  // first ping may overtake it.
  for (let pings = 0; pings < 3; pings += 1) await answeredPing(session);
  session.destroy();
}

function answeredPing(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve, reject) => {
    session.ping((error) => (error ? reject(error) : resolve()));
  });
}

function headOf(stream: string): AppendReq {
  const name = new StreamIdentifier();
  name.setStreamName(Buffer.from(stream));
  const options = new AppendReq.Options();
  options.setStreamIdentifier(name);
  options.setNoStream(new Empty());
  const head = new AppendReq();
  head.setOptions(options);
  return head;
}

function firstEvent(): AppendReq {
  const id = new UUID();
  id.setString(randomUUID());
  const proposed = new AppendReq.ProposedMessage();
  proposed.setId(id);
  proposed.getMetadataMap().set('type', 'A').set('content-type', 'application/json');
  proposed.setData(Buffer.from('{}'));
  const message = new AppendReq();
  message.setProposedMessage(proposed);
  return message;
}

/** As gRPC sends it: uncompressed, with its length before it. */
function framed(message: AppendReq): Buffer {
  const body = Buffer.from(message.serializeBinary());
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}
