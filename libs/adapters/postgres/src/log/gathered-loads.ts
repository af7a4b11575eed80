import type { StoredEvent, StreamName } from '@tender/eventing';
import { GatheredReads } from '../connections/gathered-reads';

/** What those hold up that wait for the longest of their streams. */
const STREAMS_MAX = 32;

/** Streams that are asked for in one turn of the event loop, the events of each oldest first. */
export class GatheredLoads extends GatheredReads<StreamName, StoredEvent> {
  constructor(read: (streams: readonly StreamName[]) => Promise<readonly StoredEvent[]>) {
    super({ read, keyOf: ({ stream }) => stream, keys_max: STREAMS_MAX });
  }
}
