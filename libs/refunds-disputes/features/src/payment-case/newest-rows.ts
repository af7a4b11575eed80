import {
  idOf,
  modeOf,
  projectionFollower,
  rowSource,
  type DomainEvent,
  type Projection,
  type StreamMode,
} from '@tender/eventing';
import type { Listed } from '@tender/http';
import { MODES } from '@tender/kernel';
import { CASE } from './payment-case.aggregate';

/** What an event leaves of one part of a case. */
export interface NewestRow<State> {
  readonly id: string;
  readonly merchant_id: string;
  readonly state: State;
  /** Texts to find the row by, in the columns of the table. */
  readonly found_by: Readonly<Record<string, string>>;
}

export interface NewestRowsOptions<State> {
  /** `<context>.<view>@<version>` */
  readonly name: string;
  /** Qualified; has `id`, `merchant_id`, `mode`, `payment_id`, `state json`, `position` and those of `found_by`. */
  readonly table: string;
  readonly columns: readonly string[];
  /** Null: the event tells of something else. */
  readonly rowOf: (event: DomainEvent) => NewestRow<State> | null;
}

/** A projection that is listed. */
export type NewestRows = Projection & Listed & { readonly follower: (mode: StreamMode) => string };

/**
 * A row for each part of a case, a refund or a dispute: as its newest event alone tells it, for every event carries the
 * whole of its part.
 */
export function newestRows<State>(options: NewestRowsOptions<State>): NewestRows {
  const { name, table, rowOf } = options;
  const texts = Object.fromEntries(
    ['merchant_id', 'mode', 'payment_id', ...options.columns].map((column) => [column, 'text']),
  );
  const kept = { ...texts, state: 'json', position: 'text' };
  const source = rowSource<string>({ id: 'text', ...kept });
  const changes = Object.keys(kept).map((column) => `${column} = excluded.${column}`);
  return {
    ...{ name, table, modes: MODES, nouns: [CASE] },
    schema: table.slice(0, table.indexOf('.')),
    follower: (mode) => projectionFollower(name, mode),
    async apply(events, tx, into) {
      const rows = new Map<string, Readonly<Record<string, unknown>>>();
      for (const { stream, position, type, data } of events) {
        const row = rowOf({ type, data });
        if (row === null) continue;
        const { id, merchant_id, state, found_by } = row;
        const of = { id, merchant_id, mode: modeOf(stream), payment_id: idOf(stream), position };
        rows.set(id, { ...found_by, ...of, state: JSON.stringify(state) });
      }
      if (rows.size === 0) return;
      await tx.query(
        `insert into ${into} (${source.columns}) select * from ${source.sql}
          on conflict (id) do update set ${changes.join(', ')}`,
        source.valuesOf([...rows.values()]),
      );
    },
  };
}
