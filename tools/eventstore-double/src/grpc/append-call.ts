import { setTimeout as pause } from 'node:timers/promises';
import { status, type sendUnaryData, type ServerReadableStream } from '@grpc/grpc-js';
import { AppendReq, type AppendResp } from '@eventstore/db-client/generated/streams_pb';
import type { FaultSwitch } from '../faults';
import type { EventLog, Proposed } from '../log/event-log';
import { failure, refusal, unimplemented } from './failures';
import { nameOf, outcomeMessage } from './messages';

/** EventStoreDB's own default. */
const APPEND_BYTES_MAX = 1 << 20;

type Call = ServerReadableStream<AppendReq, AppendResp>;
type Handle = (call: Call, answer: sendUnaryData<AppendResp>) => void;

/** One append: options first, then its events. */
export function serveAppend(log: EventLog, faults: FaultSwitch): Handle {
  return (call, answer) => {
    let options: AppendReq.Options | undefined;
    const events: Proposed[] = [];
    call.on('data', (message: AppendReq) => {
      if (message.hasOptions()) options = message.getOptions();
      else events.push(proposedOf(message.getProposedMessage() as AppendReq.ProposedMessage));
    });
    call.on('error', () => undefined);
    call.on('end', () => {
      appendWhole(log, faults, { call, options, events }).then(
        (message) => message && answer(null, message),
        (error: Error) => answer(error),
      );
    });
  };
}

interface Append {
  readonly call: Call;
  readonly options: AppendReq.Options | undefined;
  readonly events: readonly Proposed[];
}

/**
 * What a caller had sent when it died ends as what was sent whole; that it was cut off is known a turn later.
 * An append of which only the first events have come is none.
 */
async function appendWhole(
  log: EventLog,
  faults: FaultSwitch,
  sent: Append,
): Promise<AppendResp | null> {
  await new Promise((resolve) => setImmediate(resolve));
  return sent.call.cancelled ? null : append(log, faults, sent);
}

/** Null where the caller gets no answer. */
async function append(
  log: EventLog,
  faults: FaultSwitch,
  { call, options, events }: Append,
): Promise<AppendResp | null> {
  if (faults.refuses) throw refusal();
  if (!options || events.length === 0) throw failure(status.INVALID_ARGUMENT, 'nothing to append');
  const bytes = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
  if (bytes > APPEND_BYTES_MAX) {
    throw failure(status.INVALID_ARGUMENT, `an append has at most ${APPEND_BYTES_MAX} bytes`, {
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': String(APPEND_BYTES_MAX),
    });
  }
  const expected = expectedOf(options);
  // Its caller knows the outcome as unknown, and may have gone on.
  if (call.cancelled) return null;
  const first = expected === null ? 0 : expected + 1;
  const loses = faults.losesAck();
  const delay_ms = faults.answer_delay_ms;
  const outcome = await log.append(nameOf(options.getStreamIdentifier()), events, first);
  if (loses) return null;
  if (delay_ms > 0) await pause(delay_ms);
  return outcomeMessage(outcome, expected);
}

/** Null: the stream must not exist. */
function expectedOf(options: AppendReq.Options): number | null {
  const { REVISION, NO_STREAM } = AppendReq.Options.ExpectedStreamRevisionCase;
  const given = options.getExpectedStreamRevisionCase();
  if (given === NO_STREAM) return null;
  if (given === REVISION) return Number(options.getRevision());
  throw unimplemented('an append without an expected revision');
}

function proposedOf(message: AppendReq.ProposedMessage): Proposed {
  const described = message.getMetadataMap();
  return {
    id: message.getId()?.getString() ?? '',
    type: described.get('type') ?? '',
    content_type: described.get('content-type') ?? 'application/octet-stream',
    data: Buffer.from(message.getData_asU8()),
    metadata: Buffer.from(message.getCustomMetadata_asU8()),
  };
}
