import { openMigrator, type Migrations } from '../read-models/run-migrations';

/** As an operator does who goes back to the release before. */
export async function undoLastMigration(of: Migrations): Promise<void> {
  const migrator = await openMigrator(of);
  await migrator.undoLastMigration().finally(() => migrator.destroy());
}
