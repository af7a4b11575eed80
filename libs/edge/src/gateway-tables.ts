import type { Context } from '@tender/eventing';

/** What `up` needs of TypeORM's runner. */
interface Runner {
  query(sql: string): Promise<unknown>;
}

/** Answers to repeats, and the limits bought by each gateway (settled 6, 25). */
export class CreateGateway1763700000000 {
  readonly name = 'CreateGateway1763700000000';

  async up(runner: Runner): Promise<void> {
    await runner.query(`create table gateway.stored_answers (
      scope text primary key,
      generation int not null,
      fingerprint text not null,
      answered_at bigint not null,
      sealed text
    )`);
    await runner.query(`create index stored_answers_sealed_by_age
      on gateway.stored_answers (answered_at) where sealed is not null`);
    await runner.query(`create table gateway.limit_blocks (
      bucket text primary key,
      holdings jsonb not null
    )`);
  }

  async down(runner: Runner): Promise<void> {
    await runner.query('drop table gateway.stored_answers, gateway.limit_blocks');
  }
}

/** The edge's own tables, for whoever migrates the schemas of all contexts. */
export const gatewayTables: Pick<Context, 'name' | 'schema' | 'migrations' | 'entities'> = {
  name: 'gateway',
  schema: 'gateway',
  migrations: [CreateGateway1763700000000],
  entities: [],
};
