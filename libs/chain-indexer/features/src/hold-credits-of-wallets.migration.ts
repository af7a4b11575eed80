import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a held credit's transaction names an operating wallet: those that do wait for treasury (C11). */
export class HoldCreditsOfWallets1795460400000 implements MigrationInterface {
  readonly name = 'HoldCreditsOfWallets1795460400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table chain_indexer.held_credits
        add column of_operating_wallet boolean not null default true`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table chain_indexer.held_credits drop column of_operating_wallet`);
  }
}
