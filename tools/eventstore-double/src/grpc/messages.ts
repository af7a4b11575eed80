import { AllStreamPosition, Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { AppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { Outcome, Recorded } from '../log/event-log';

export const nameOf = (identifier: StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');

function identifierOf(stream: string): StreamIdentifier {
  const identifier = new StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8'));
  return identifier;
}

/** EventStoreDB has two positions for what a transaction wrote; for every other event they are equal. */
function inPlace<Place extends PlacedMessage>(place: Place, position: number): Place {
  place.setCommitPosition(String(position));
  place.setPreparePosition(String(position));
  return place;
}

interface PlacedMessage {
  setCommitPosition(value: string): unknown;
  setPreparePosition(value: string): unknown;
}

export function eventMessage(event: Recorded): ReadResp {
  const id = new UUID();
  id.setString(event.id);
  const recorded = inPlace(new ReadResp.ReadEvent.RecordedEvent(), event.position);
  recorded.setId(id);
  recorded.setStreamIdentifier(identifierOf(event.stream));
  recorded.setStreamRevision(String(event.revision));
  recorded.getMetadataMap().set('type', event.type);
  recorded.getMetadataMap().set('content-type', event.content_type);
  recorded.getMetadataMap().set('created', event.created);
  recorded.setData(event.data);
  recorded.setCustomMetadata(event.metadata);
  const read = new ReadResp.ReadEvent();
  read.setEvent(recorded);
  read.setCommitPosition(String(event.position));
  const message = new ReadResp();
  message.setEvent(read);
  return message;
}

export function notFoundMessage(stream: string): ReadResp {
  const notFound = new ReadResp.StreamNotFound();
  notFound.setStreamIdentifier(identifierOf(stream));
  const message = new ReadResp();
  message.setStreamNotFound(notFound);
  return message;
}

export function confirmationMessage(subscription_id: string): ReadResp {
  const confirmation = new ReadResp.SubscriptionConfirmation();
  confirmation.setSubscriptionId(subscription_id);
  const message = new ReadResp();
  message.setConfirmation(confirmation);
  return message;
}

export function checkpointMessage(position: number): ReadResp {
  const message = new ReadResp();
  message.setCheckpoint(inPlace(new ReadResp.Checkpoint(), position));
  return message;
}

export function caughtUpMessage(): ReadResp {
  const message = new ReadResp();
  message.setCaughtUp(new ReadResp.CaughtUp());
  return message;
}

/** Where the log ends, at the end of a read. */
export function lastPositionMessage(position: number): ReadResp {
  const message = new ReadResp();
  message.setLastAllStreamPosition(inPlace(new AllStreamPosition(), position));
  return message;
}

/** `expected`: the revision that the caller named, null for a stream that must not exist. */
export function outcomeMessage(outcome: Outcome, expected: number | null): AppendResp {
  const message = new AppendResp();
  if (outcome.ok) {
    const success = new AppendResp.Success();
    success.setCurrentRevision(String(outcome.revision));
    success.setPosition(inPlace(new AppendResp.Position(), outcome.position));
    message.setSuccess(success);
    return message;
  }
  const wrong = new AppendResp.WrongExpectedVersion();
  if (outcome.current === null) wrong.setCurrentNoStream(new Empty());
  else wrong.setCurrentRevision(String(outcome.current));
  if (expected === null) wrong.setExpectedNoStream(new Empty());
  else wrong.setExpectedRevision(String(expected));
  message.setWrongExpectedVersion(wrong);
  return message;
}
