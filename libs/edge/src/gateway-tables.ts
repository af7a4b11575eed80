import type { Context } from '@tender/eventing';

/** What `up` needs of TypeORM's runner. */
interface Runner {
  query(sql: string): Promise<unknown>;
}

/** Answers to repeats, and the limits bought by each gateway (ADR 0003, E1). */
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

/** As bytes, an answer takes two thirds of the room. */
export class KeepAnswersAsBytes1763800000000 {
  readonly name = 'KeepAnswersAsBytes1763800000000';

  async up(runner: Runner): Promise<void> {
    await runner.query(`alter table gateway.stored_answers
      alter column scope type bytea using decode(scope, 'hex'),
      alter column fingerprint type bytea using decode(fingerprint, 'hex'),
      alter column sealed type bytea using decode(sealed, 'base64')`);
  }

  async down(runner: Runner): Promise<void> {
    await runner.query(`alter table gateway.stored_answers
      alter column scope type text using encode(scope, 'hex'),
      alter column fingerprint type text using encode(fingerprint, 'hex'),
      alter column sealed type text using encode(sealed, 'base64')`);
  }
}

/** The edge's own tables, for the program that migrates the schemas of all contexts. */
export const gatewayTables: Pick<Context, 'name' | 'schema' | 'migrations'> = {
  name: 'gateway',
  schema: 'gateway',
  migrations: [CreateGateway1763700000000, KeepAnswersAsBytes1763800000000],
};
