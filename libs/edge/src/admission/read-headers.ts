import { isUuid } from '@tender/kernel';
import type { IncomingMessage } from 'node:http';

/** The request headers that decide something, with those that came more than once told apart. */
export interface EdgeHeaders {
  readonly authorization: string | undefined;
  readonly authorizations: number;
  readonly idempotency_key: string | undefined;
  readonly idempotency_keys: number;
  readonly cookie: string | undefined;
}

/**
 * One pass over the raw headers: Node's own object keeps the first Authorization and joins other repeated
 * headers, and either would hide the second one.
 */
export function readHeaders({
  rawHeaders,
  headers: { cookie },
}: Pick<IncomingMessage, 'rawHeaders' | 'headers'>): EdgeHeaders {
  let authorization: string | undefined;
  let authorizations = 0;
  let idempotency_key: string | undefined;
  let idempotency_keys = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 13 && name.toLowerCase() === 'authorization') {
      authorization = rawHeaders[at + 1];
      authorizations += 1;
    } else if (name.length === 15 && name.toLowerCase() === 'idempotency-key') {
      idempotency_key = rawHeaders[at + 1];
      idempotency_keys += 1;
    }
  }
  return { authorization, authorizations, idempotency_key, idempotency_keys, cookie };
}

/** The client's correlation id when it is a UUID (specification §1.12); null otherwise. */
export function correlationIdIn(headers: IncomingMessage['headers']): string | null {
  const sent = headers['x-correlation-id'];
  return typeof sent === 'string' && isUuid(sent) ? sent : null;
}

const EVENT_ID_FORM = /^[!-~]{1,100}$/;

/** The last event of a stream that reached this client; what is no id of ours is none. */
export function lastEventIdIn({ headers }: Pick<IncomingMessage, 'headers'>): {
  readonly last_event_id?: string;
} {
  const sent = headers['last-event-id'];
  return typeof sent === 'string' && EVENT_ID_FORM.test(sent) ? { last_event_id: sent } : {};
}
