import { foldedView } from '@tender/eventing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

interface Order {
  readonly status: string;
  readonly terms: Terms | null;
}

interface Terms {
  readonly merchant_id: string;
  readonly created_at: string;
}

interface OrderEvent {
  readonly type: string;
  readonly data: { readonly terms: Terms };
}

const NEW: Order = { status: 'unknown', terms: null };

/** A table like that of the payments: one row per stream, three events each. */
export const ordersView = foldedView<Order, OrderEvent>({
  name: 'bench.orders@1',
  noun: 'order',
  modes: ['test'],
  table: 'bench.orders',
  decider: {
    initial: NEW,
    evolve: (state, { type, data }) => ({ ...state, status: type, terms: data.terms }),
  },
  columns: {
    merchant_id: ['text', ({ terms }) => terms?.merchant_id],
    created_at: ['text', ({ terms }) => terms?.created_at],
  },
});

export class CreateOrders1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table bench.orders_g1 (
      id text primary key,
      state json not null,
      position text not null,
      merchant_id text not null,
      created_at text collate "C" not null
    )`);
    await runner.query(
      'create index orders_of_merchant_g1 on bench.orders_g1 (merchant_id, created_at desc, id desc)',
    );
    await runner.query('create view bench.orders as select * from bench.orders_g1');
    await runner.query(
      `insert into bench.generations (view, generation, state) values ('orders', 1, 'live')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop view bench.orders');
    await runner.query('drop table bench.orders_g1');
  }
}
