import { Controller, Inject, Query, Res } from '@nestjs/common';
import {
  adminListFlags,
  listFraudFlags,
  type ListFlagsAnswer,
  type ListFlagsQuery,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import type { KnownFlag } from '@tender/fraud-domain';
import { Caller, listing, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { Screener } from '../screen-payment/screener';
import { SCREENER } from '../screen-payment/screener.token';
import { flag } from './flag.aggregate';
import { renderFlag } from './render-flag';

type Filters = Pick<ListFlagsQuery, 'resolved' | 'severity' | 'resolution_type'>;

const flagsOf = (of: 'caller' | 'everyone') =>
  listing<{ readonly state: KnownFlag }, KnownFlag, Filters>({
    view: flag.view,
    of,
    filters: { resolved: 'resolved', severity: 'severity', resolution_type: 'resolution_type' },
    show: ({ state }) => state,
  });
const own = flagsOf('caller');
const all = flagsOf('everyone');

@Controller()
export class ListFlagsHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SCREENER) private readonly screener: Screener,
  ) {}

  @Serves(listFraudFlags)
  list(
    @Caller() caller: RequestContext,
    @Query() query: ListFlagsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListFlagsAnswer> {
    return this.read(own, caller, query, reply);
  }

  @Serves(adminListFlags)
  listAll(
    @Caller() caller: RequestContext,
    @Query() query: ListFlagsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListFlagsAnswer> {
    return this.read(all, caller, query, reply);
  }

  /** A merchant writes no flag: what this replica raised last is what its refused order made. */
  private async read(
    flags: typeof own,
    caller: RequestContext,
    query: ListFlagsQuery,
    reply: FastifyReply,
  ): Promise<ListFlagsAnswer> {
    const min_position = this.screener.raisedAt(caller.mode);
    const seeing = { ...caller, min_position };
    const { data, pagination } = await flags.numbered(this.runtime, seeing, query, reply);
    const { keyRing } = this.runtime;
    return { data: await Promise.all(data.map((state) => renderFlag(keyRing, state))), pagination };
  }
}
