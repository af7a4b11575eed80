import type { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { storedJson, type StoredEvent, type StreamName } from '@tender/eventing';
import { invariant } from '@tender/kernel';

type Recorded = ReadResp.ReadEvent.RecordedEvent;

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

/**
 * Where an event is in the log: its commit position. It alone is enough, as prepare and commit positions
 * differ only for explicit transactions, which nothing on gRPC can write.
 */
export function positionOf(message: { getCommitPosition(): string }): number {
  const position = Number(message.getCommitPosition());
  invariant(
    Number.isSafeInteger(position),
    'the server tells the positions of events (EventStoreDB 22.6 or later)',
  );
  return position;
}

export const streamOf = (recorded: Recorded): StreamName =>
  textOf(recorded.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array()) as StreamName;

export function storedEvent(recorded: Recorded): StoredEvent {
  return {
    type: recorded.getMetadataMap().get('type') ?? '',
    data: storedJson(textOf(recorded.getData_asU8())) as object,
    metadata: storedJson(textOf(recorded.getCustomMetadata_asU8())) as StoredEvent['metadata'],
    stream: streamOf(recorded),
    revision: Number(recorded.getStreamRevision()),
    position: String(positionOf(recorded)),
  };
}
