import { firstGenerations } from '@tender/eventing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIRST = firstGenerations('webhook_dispatcher', ['endpoints']);

/** What was a table becomes the first generation behind a view of its name, so that it can be swapped. */
export class KeepEndpointGenerations1764000000000 implements MigrationInterface {
  readonly name = 'KeepEndpointGenerations1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of FIRST.up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of FIRST.down) await runner.query(statement);
  }
}
