import { Body, Controller, Inject, Param, Query, Res } from '@nestjs/common';
import {
  addBlocklistEntry,
  listBlocklist,
  PAGE_LIMIT_DEFAULT,
  removeBlocklistEntry,
  routeText,
  type AddBlocklistEntryBody,
  type BlocklistEntryAnswer,
  type BlocklistQuery,
  type RemoveBlocklistEntryQuery,
  type RequestContext,
} from '@tender/contracts';
import { recordAdminChange, type Runtime } from '@tender/eventing';
import type { entryDecider, ListEntry, RemoveEntry } from '@tender/fraud-domain';
import {
  accepted,
  Caller,
  invalidParameter,
  notFound,
  RUNTIME,
  Serves,
  type RefusalAnswers,
} from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { Screener } from '../screen-payment/screener';
import { SCREENER } from '../screen-payment/screener.token';
import { blockEntry } from './block-entry.aggregate';
import { newEntry, valueFault } from './new-entry';

@Controller()
export class BlockListHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SCREENER) private readonly screener: Screener,
  ) {}

  @Serves(listBlocklist)
  async list(
    @Query() { kind, limit = PAGE_LIMIT_DEFAULT, offset = 0 }: BlocklistQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BlocklistEntryAnswer[]> {
    const states = await this.screener.memory.entries_copy.upToDate();
    const entries = [...states.values()].flatMap(({ status, entry }) =>
      status === 'listed' && (kind == null || entry.kind === kind) ? [entry] : [],
    );
    void reply.header('X-Total-Count', String(entries.length));
    const page = entries.toSorted(newestFirst).slice(offset, offset + limit);
    return Promise.all(page.map((entry) => this.render(entry)));
  }

  @Serves(addBlocklistEntry)
  async add(
    @Caller() caller: RequestContext,
    @Body() { kind, value, note, reason }: AddBlocklistEntryBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BlocklistEntryAnswer> {
    const message = valueFault(kind, value);
    if (message) throw invalidParameter({ field: 'value', message });
    const entry = await newEntry(this.runtime, { kind, value, note: note ?? null });
    const id = entry.entry_id;
    const what = { entry_id: id, kind };
    await recordAdminChange(this.runtime, caller, {
      reason,
      route: routeText(addBlocklistEntry),
      what,
    });
    const { handled } = await blockEntry.request(this.runtime, caller, () => ({
      ...{ id, subject_ids: [entry.subject_id] },
      command: { type: 'AddEntry', entry, reason } as const,
    }));
    const { state, events } = accepted(handled, {}, reply);
    if (events.length > 0) void reply.status(201);
    await this.screener.memory.entries_copy.upToDate();
    return this.render(state.entry);
  }

  @Serves(removeBlocklistEntry)
  async remove(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Query() { reason }: RemoveBlocklistEntryQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BlocklistEntryAnswer> {
    const known = await blockEntry.load(this.runtime, 'all', id);
    if (known?.status !== 'listed') throw notFound();
    const what = { entry_id: id, kind: known.entry.kind };
    await recordAdminChange(this.runtime, caller, {
      reason,
      route: routeText(removeBlocklistEntry),
      what,
    });
    const { handled } = await blockEntry.request(this.runtime, caller, () => {
      const at = isoTime(this.runtime.clock.now());
      return { id, command: { type: 'RemoveEntry', reason, at } as const };
    });
    const { state } = accepted(handled, REMOVE_REFUSALS, reply);
    await this.screener.memory.entries_copy.upToDate();
    return this.render(state.entry);
  }

  private async render(entry: ListEntry): Promise<BlocklistEntryAnswer> {
    const { entry_id: id, kind, subject_id, value_sealed, note, created_at } = entry;
    const value = await this.runtime.keyRing.openPersonal(subject_id, value_sealed);
    return { id, kind, value, note, created_at };
  }
}

/** With the id as tie-break (specification §1.7). */
function newestFirst(one: ListEntry, other: ListEntry): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? 1 : -1;
  return one.entry_id < other.entry_id ? 1 : -1;
}

const REMOVE_REFUSALS: RefusalAnswers<RefusalOf<typeof entryDecider, RemoveEntry>> = {
  entry_unknown: [404, 'not_found', 'There is no such resource.'],
};
