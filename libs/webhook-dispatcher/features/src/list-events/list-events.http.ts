import { Controller, Inject, Query, Res } from '@nestjs/common';
import {
  listEvents,
  PAGE_LIMIT_DEFAULT,
  type ListEventsQuery,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, invalidParameter, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { openedBody } from '../opened-body';
import { eventsJson, readMerchantEvents } from './merchant-events';

const CURSOR = /^\d{1,18}$/;
const EVENT_NAME = /^[A-Za-z_]{1,64}$/;
const TYPES_MAX = 50;

@Controller()
export class ListEventsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** A string goes out as it is: the stored events are not parsed and written again, only opened. */
  @Serves(listEvents)
  async list(
    @Caller() { mode, merchant_id }: RequestContext,
    @Query() query: ListEventsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { limit = PAGE_LIMIT_DEFAULT, after = null } = query;
    if (after !== null && !CURSOR.test(after)) {
      throw invalidParameter({ field: 'after', message: 'must be a cursor of this log' });
    }
    const types = typesOf(query.types);
    const wish = { mode, merchant_id, after, types, limit: limit + 1 };
    const rows = await readMerchantEvents(this.runtime.readModels, wish);
    void reply.header('content-type', 'application/json; charset=utf-8');
    const shown = await Promise.all(
      rows.slice(0, limit).map(async ({ cursor, body }) => {
        return { cursor, body: await openedBody(this.runtime, body) };
      }),
    );
    return eventsJson(shown, after, rows.length > limit);
  }
}

/** The name of an event that we do not send yet is no mistake: it finds nothing. */
function typesOf(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const types = text.split(',').map((name) => name.trim());
  if (types.length <= TYPES_MAX && types.every((name) => EVENT_NAME.test(name))) return types;
  throw invalidParameter({ field: 'types', message: 'must be event names separated by commas' });
}
