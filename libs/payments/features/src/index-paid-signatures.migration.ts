import type { MigrationInterface, QueryRunner } from 'typeorm';

const PAYMENTS = `select generation from payments.generations where view = 'payment_details'`;
const indexOf = (generation: number): string => `payment_details_by_signature_g${generation}`;

/** Finds the payment that a transaction has paid. */
export class IndexPaidSignatures1766310000000 implements MigrationInterface {
  readonly name = 'IndexPaidSignatures1766310000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const { generation } of await generations(runner)) {
      await runner.query(`create index ${indexOf(generation)}
        on payments.payment_details_g${generation} ((state->>'transaction_signature'))
        where (state->>'transaction_signature') is not null`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { generation } of await generations(runner)) {
      await runner.query(`drop index payments.${indexOf(generation)}`);
    }
  }
}

const generations = (runner: QueryRunner): Promise<{ generation: number }[]> =>
  runner.query(PAYMENTS) as Promise<{ generation: number }[]>;
