import { Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { AppendReq, ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { Category, ExpectedRevision, StreamName } from '@tender/eventing';

/** An event as it goes over the wire: JSON texts. */
export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

/** Events that the server looks at before it answers with what fits, and between two checkpoints. */
const SEARCH_WINDOW = 500;

export function appendMessages(
  stream: StreamName,
  events: readonly ProposedEvent[],
  expected: ExpectedRevision,
): AppendReq[] {
  const options = new AppendReq.Options();
  options.setStreamIdentifier(identifierOf(stream));
  if (expected === 'no_stream') options.setNoStream(new Empty());
  else options.setRevision(String(expected));
  const head = new AppendReq();
  head.setOptions(options);
  return [head, ...events.map(proposedMessage)];
}

function proposedMessage(event: ProposedEvent): AppendReq {
  const id = new UUID();
  id.setString(event.id);
  const proposed = new AppendReq.ProposedMessage();
  proposed.setId(id);
  proposed.getMetadataMap().set('type', event.type);
  proposed.getMetadataMap().set('content-type', 'application/json');
  proposed.setData(Buffer.from(event.data));
  proposed.setCustomMetadata(Buffer.from(event.metadata));
  const message = new AppendReq();
  message.setProposedMessage(proposed);
  return message;
}

export function streamRequest(stream: StreamName, revision: number, count: number): ReadReq {
  const wanted = new ReadReq.Options.StreamOptions();
  wanted.setStreamIdentifier(identifierOf(stream));
  wanted.setRevision(String(revision));
  const options = optionsOf();
  options.setStream(wanted);
  options.setCount(String(count));
  options.setNoFilter(new Empty());
  return requestOf(options);
}

/** The newest events of the whole log, newest first. */
export function newestRequest(count: number): ReadReq {
  const options = optionsOf();
  const wanted = new ReadReq.Options.AllOptions();
  wanted.setEnd(new Empty());
  options.setAll(wanted);
  options.setReadDirection(ReadReq.Options.ReadDirection.BACKWARDS);
  options.setCount(String(count));
  options.setNoFilter(new Empty());
  return requestOf(options);
}

/** Events of these categories at or after `from`, oldest first. */
export function categoriesRequest(
  categories: Iterable<Category>,
  from: number,
  count: number,
): ReadReq {
  const options = optionsOf();
  options.setAll(placeOf(from));
  options.setCount(String(count));
  options.setFilter(filterOf(categories));
  return requestOf(options);
}

/** Events of these categories after `from`, and then those that come. */
export function subscriptionRequest(categories: Iterable<Category>, from: number): ReadReq {
  const options = optionsOf();
  options.setAll(placeOf(from));
  options.setSubscription(new ReadReq.Options.SubscriptionOptions());
  options.setFilter(filterOf(categories));
  return requestOf(options);
}

function requestOf(options: ReadReq.Options): ReadReq {
  const request = new ReadReq();
  request.setOptions(options);
  return request;
}

function optionsOf(): ReadReq.Options {
  const uuids = new ReadReq.Options.UUIDOption();
  uuids.setString(new Empty());
  const options = new ReadReq.Options();
  options.setUuidOption(uuids);
  options.setReadDirection(ReadReq.Options.ReadDirection.FORWARDS);
  return options;
}

function placeOf(from: number): ReadReq.Options.AllOptions {
  const wanted = new ReadReq.Options.AllOptions();
  if (from === 0) {
    wanted.setStart(new Empty());
    return wanted;
  }
  const position = new ReadReq.Options.Position();
  position.setCommitPosition(String(from));
  position.setPreparePosition(String(from));
  wanted.setPosition(position);
  return wanted;
}

function filterOf(categories: Iterable<Category>): ReadReq.Options.FilterOptions {
  const names = new ReadReq.Options.FilterOptions.Expression();
  names.setPrefixList(Array.from(categories, (category) => `${category}-`));
  const filter = new ReadReq.Options.FilterOptions();
  filter.setStreamIdentifier(names);
  filter.setMax(SEARCH_WINDOW);
  filter.setCheckpointintervalmultiplier(1);
  return filter;
}

function identifierOf(stream: StreamName): StreamIdentifier {
  const identifier = new StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8'));
  return identifier;
}
