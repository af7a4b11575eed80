import type { NewEvent, StreamMode, StreamName } from '../events/event';
import { modeOf } from '../events/event';

let made = 0;

/** A UUID that no other event of this process has. */
export function sampleId(): string {
  made += 1;
  const process_part = Math.trunc(performance.timeOrigin % 2 ** 32)
    .toString(16)
    .padStart(8, '0');
  return `${process_part}-0000-8000-8000-${made.toString(16).padStart(12, '0')}`;
}

/** An event as a command handler would stamp it. */
export function sampleEvent(
  stream: StreamName,
  data: object = {},
  { type = 'Noted', id = sampleId() }: { type?: string; id?: string } = {},
): NewEvent {
  const mode: StreamMode = modeOf(stream);
  return {
    type,
    data,
    metadata: {
      ...{ id, type, schema_version: 1, mode, merchant_id: 'mrc_1', subject_ids: [] },
      ...{ actor: 'system:test', command_id: id, body_hash: null, correlation_id: id },
      ...{ causation_id: null, prev_hash: null },
      occurred_at: '2026-01-01T00:00:00.000Z',
      recorded_at: '2026-01-01T00:00:00.000Z',
    },
  };
}

/** The note of a `sampleEvent(stream, { note })`. */
export const noteOf = (event: { readonly data: unknown }): unknown =>
  (event.data as { note?: unknown }).note;
