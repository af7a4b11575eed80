import {
  storedJson,
  type Located,
  type Position,
  type PublicEvent,
  type StreamName,
} from '@tender/eventing';
import type { Message } from 'kafkajs';
import { homePartition } from '../topics/home-partition';

/** Control records of the relay: no event of this topic that was recorded before `wall_ms` is still to come. */
export const RELAY_PROGRESS = 'tender.relay-progress.v1';

const CONTENT_TYPE = 'application/cloudevents+json; charset=UTF-8';

/**
 * CloudEvents 1.0 in structured form: one JSON text says all, one parse reads it, and a tool that shows the
 * value of a record shows everything. Names are those of the documented extensions where there is one
 * (partitioning, sequence, correlation, recorded time); only lower-case letters and digits are allowed.
 */
interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly type: string;
  /** `/tender/<context>` */
  readonly source: string;
  readonly time?: string;
  readonly recordedtime?: string;
  readonly datacontenttype: 'application/json';
  readonly partitionkey?: string;
  readonly sequence?: string;
  readonly correlationid?: string;
  readonly causationid?: string;
  readonly mode?: string;
  /** Left out for null. */
  readonly merchantid?: string;
  /** Where it stands in the log. */
  readonly logposition: Position;
  /** How many partitions the relay chose among. */
  readonly partitions?: number;
  readonly data: unknown;
}

/** An event of the log, to know by whether a log is the one that a topic was filled from. */
export interface Landmark {
  readonly stream: StreamName;
  /** Of the event in the log; the public one has another. */
  readonly id: string;
  readonly position: Position;
}

export const landmarkOf = ({ message, position }: Located): Landmark => ({
  stream: message.key as StreamName,
  id: message.causation_id,
  position,
});

export type ReadRecord =
  | { readonly kind: 'event'; readonly located: Located }
  | {
      readonly kind: 'progress';
      readonly position: Position;
      readonly wall_ms: number;
      /** No event of the topic is later, up to `position`; null: it has had none; undefined: not known. */
      readonly newest: Landmark | null | undefined;
    }
  /** Another control type, or a copy in a partition that is not its key's. */
  | { readonly kind: 'passed'; readonly why: string | null }
  | { readonly kind: 'rubbish'; readonly why: string };

export function eventRecord(
  { message, position }: Located,
  context: string,
  partitions: number,
): Message {
  return record(message.key, homePartition(message.key, partitions), {
    specversion: '1.0',
    id: message.id,
    type: message.type,
    source: `/tender/${context}`,
    time: message.occurred_at,
    recordedtime: message.recorded_at,
    datacontenttype: 'application/json',
    partitionkey: message.key,
    sequence: String(message.sequence),
    correlationid: message.correlation_id,
    causationid: message.causation_id,
    mode: message.mode,
    ...(message.merchant_id === null ? {} : { merchantid: message.merchant_id }),
    logposition: position,
    partitions,
    data: message.data,
  });
}

/** `newest`: no event of this topic is later; null where it has had none, undefined where that is not known. */
export function progressRecord(
  context: string,
  partition: number,
  position: Position,
  wall_ms: number,
  newest: Landmark | null | undefined,
): Message {
  return record(null, partition, {
    specversion: '1.0',
    id: `${position}-${wall_ms}-${partition}`,
    type: RELAY_PROGRESS,
    source: `/tender/${context}`,
    datacontenttype: 'application/json',
    logposition: position,
    data: { wall_ms, newest },
  });
}

const record = (key: string | null, partition: number, event: CloudEvent): Message => ({
  key,
  partition,
  value: JSON.stringify(event),
  headers: { 'content-type': CONTENT_TYPE },
});

/** Never throws. `isPosition` tells whether the log could have made it. */
export function readRecord(
  value: Buffer | null,
  partition: number,
  isPosition: (position: Position) => boolean,
): ReadRecord {
  let event: Partial<CloudEvent>;
  try {
    event = storedJson(value?.toString('utf8') ?? '') as Partial<CloudEvent>;
  } catch {
    return { kind: 'rubbish', why: 'it is not JSON' };
  }
  if (event?.specversion !== '1.0' || typeof event.type !== 'string') {
    return { kind: 'rubbish', why: 'it is no CloudEvent' };
  }
  const { logposition } = event;
  if (typeof logposition !== 'string' || !isPosition(logposition)) {
    return { kind: 'rubbish', why: 'it has no place in the log' };
  }
  if (event.type === RELAY_PROGRESS) return readProgress(event, logposition, isPosition);
  if (event.type.startsWith('tender.')) return { kind: 'passed', why: null };
  return readEvent(event, logposition, partition);
}

function readProgress(
  { data }: Partial<CloudEvent>,
  position: Position,
  isPosition: (position: Position) => boolean,
): ReadRecord {
  const { wall_ms, newest } = (data ?? {}) as { wall_ms?: unknown; newest?: unknown };
  if (typeof wall_ms !== 'number') return { kind: 'rubbish', why: 'its progress has no time' };
  return { kind: 'progress', position, wall_ms, newest: readLandmark(newest, isPosition) };
}

/** Records of earlier releases lack it. */
function readLandmark(
  value: unknown,
  isPosition: (position: Position) => boolean,
): Landmark | null | undefined {
  if (value === null) return null;
  const { stream, id, position } = (value ?? {}) as Partial<Landmark>;
  if (typeof stream !== 'string' || typeof id !== 'string') return undefined;
  return typeof position === 'string' && isPosition(position) ? { stream, id, position } : undefined;
}

const TEXTS = [
  'id',
  'time',
  'recordedtime',
  'partitionkey',
  'correlationid',
  'causationid',
  'mode',
] as const;

function readEvent(event: Partial<CloudEvent>, position: Position, partition: number): ReadRecord {
  const missing = TEXTS.find((name) => typeof event[name] !== 'string');
  if (missing) return { kind: 'rubbish', why: `its ${missing} is missing` };
  const sequence = Number(event.sequence);
  if (!Number.isSafeInteger(sequence)) return { kind: 'rubbish', why: 'its sequence is no number' };
  const { partitions } = event;
  if (typeof partitions !== 'number' || !Number.isSafeInteger(partitions) || partitions < 1) {
    return { kind: 'rubbish', why: 'its partitions is no number' };
  }
  const complete = event as Required<Pick<CloudEvent, (typeof TEXTS)[number] | 'type'>> & CloudEvent;
  const home = homePartition(complete.partitionkey, partitions);
  if (home !== partition) {
    return { kind: 'passed', why: `it is a copy: its key belongs to partition ${home}` };
  }
  const message: PublicEvent = {
    type: complete.type,
    id: complete.id,
    mode: complete.mode as PublicEvent['mode'],
    key: complete.partitionkey,
    sequence,
    merchant_id: complete.merchantid ?? null,
    correlation_id: complete.correlationid,
    causation_id: complete.causationid,
    occurred_at: complete.time,
    recorded_at: complete.recordedtime,
    data: complete.data,
  };
  return { kind: 'event', located: { message, position } };
}
