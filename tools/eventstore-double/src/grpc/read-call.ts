import { randomUUID } from 'node:crypto';
import { status, type ServerWritableStream } from '@grpc/grpc-js';
import { ReadReq, type ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { FaultSwitch } from '../faults';
import type { EventLog } from '../log/event-log';
import { failure, refusal, unimplemented } from './failures';
import { filterOf } from './filter';
import {
  caughtUpMessage,
  checkpointMessage,
  confirmationMessage,
  eventMessage,
  lastPositionMessage,
  nameOf,
  notFoundMessage,
} from './messages';
import { Speaker } from './speaker';

type Call = ServerWritableStream<ReadReq, ReadResp>;
type Options = ReadReq.Options;

const { BACKWARDS } = ReadReq.Options.ReadDirection;

/** Reads of a stream or of everything, and subscriptions to everything. */
export function serveRead(log: EventLog, faults: FaultSwitch): (call: Call) => void {
  return (call) => {
    const speaker = new Speaker(call);
    read(log, faults, call.request.getOptions(), speaker).then(
      // A client that went away must not take this for everything.
      () => !speaker.over && call.end(),
      (error: Error) => call.emit('error', error),
    );
  };
}

async function read(
  log: EventLog,
  faults: FaultSwitch,
  options: Options | undefined,
  speaker: Speaker,
): Promise<void> {
  if (faults.refuses) throw refusal();
  if (!options) throw failure(status.INVALID_ARGUMENT, 'a read has options');
  const subscribes = options.hasSubscription();
  if (options.hasStream() && subscribes) throw unimplemented('a subscription to one stream');
  if (options.hasStream()) await readStream(log, options, speaker);
  else if (subscribes) await subscribe(log, faults, options, speaker);
  else await readAll(log, options, speaker);
}

async function readStream(log: EventLog, options: Options, speaker: Speaker): Promise<void> {
  const wanted = options.getStream() as ReadReq.Options.StreamOptions;
  const stream = nameOf(wanted.getStreamIdentifier());
  const length = log.lengthOf(stream);
  if (length === null) return void (await speaker.say(notFoundMessage(stream)));
  const back = options.getReadDirection() === BACKWARDS;
  const step = back ? -1 : 1;
  let revision = Number(wanted.getRevision());
  if (wanted.hasStart()) revision = 0;
  if (wanted.hasEnd()) revision = back ? length - 1 : length;
  let left = Number(options.getCount());
  for (; left > 0 && revision >= 0 && revision < length; revision += step, left -= 1) {
    if (!(await speaker.say(eventMessage(log.ofStream(stream, revision))))) return;
  }
}

/** Forwards from a position on, or backwards from before it. */
async function readAll(log: EventLog, options: Options, speaker: Speaker): Promise<void> {
  const allows = filterOf(options);
  const back = options.getReadDirection() === BACKWARDS;
  const step = back ? -1 : 1;
  const end = log.length;
  let index = startOf(log, options, end) - (back ? 1 : 0);
  let left = Number(options.getCount());
  for (; left > 0 && index >= 0 && index < end; index += step) {
    if (!allows(log.streamAt(index))) continue;
    left -= 1;
    if (!(await speaker.say(eventMessage(log.at(index))))) return;
  }
  if (end > 0) await speaker.say(lastPositionMessage(log.positionAt(end - 1)));
}

/** Index of the first event at or after the place that the caller names. */
function startOf(log: EventLog, options: Options, end: number): number {
  const wanted = options.getAll() as ReadReq.Options.AllOptions;
  if (wanted.hasEnd()) return end;
  const position = wanted.getPosition();
  return position ? log.indexFrom(Number(position.getCommitPosition())) : 0;
}

/** What is there and what comes, after a position, with checkpoints now and then. */
async function subscribe(
  log: EventLog,
  faults: FaultSwitch,
  options: Options,
  speaker: Speaker,
): Promise<void> {
  const allows = filterOf(options);
  const filter = options.getFilter();
  const window = filter?.getMax() || 32;
  const interval = window * (filter?.getCheckpointintervalmultiplier() || 1);
  const position = options.getAll()?.getPosition();
  let index = position
    ? log.indexFrom(Number(position.getCommitPosition()) + 1)
    : startOf(log, options, log.length);
  const stopSilence = faults.onSilence(() => speaker.silence());
  const stopMore = log.onMore(() => speaker.wake());
  let caught_up = false;
  let considered = 0;
  await speaker.say(confirmationMessage(randomUUID()));
  while (!speaker.over) {
    if (index >= log.length) {
      if (!caught_up) await speaker.say(caughtUpMessage());
      caught_up = true;
      if (index >= log.length) await speaker.woken();
      continue;
    }
    if (allows(log.streamAt(index))) await speaker.say(eventMessage(log.at(index)));
    considered += 1;
    if (filter && considered % interval === 0) {
      await speaker.say(checkpointMessage(log.positionAt(index)));
    }
    index += 1;
  }
  stopSilence();
  stopMore();
}
