import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileKeyRing, systemClock, type FileKeyRing } from '@tender/adapter-system';
import { postgresSubjectKeys } from '@tender/adapter-postgres';
import type { ReadModels } from '@tender/eventing';
import { CommandFault } from '../faults';
import { readDataDir } from '../settings';

/**
 * The key ring of the running program. It is joined and never begun: keys made here would be keys of no program, and
 * name no person that it knows.
 */
export function operatorsKeyRing(env: NodeJS.ProcessEnv, readModels: ReadModels): FileKeyRing {
  const dir = path.join(readDataDir(env), 'keys');
  const master_key = env.MASTER_KEY || null;
  const needed = ['id-secret.key', ...(master_key === null ? ['master.key'] : [])];
  const missing = needed.filter((name) => !existsSync(path.join(dir, name)));
  if (missing.length > 0) {
    throw new CommandFault(
      `There is no ${missing.join(' and no ')} in ${dir}. Name the DATA_DIR of the services, ` +
        'and give their MASTER_KEY if they have one.',
    );
  }
  try {
    return fileKeyRing({
      dir,
      masterKey: master_key ?? undefined,
      clock: systemClock(),
      subjectKeys: postgresSubjectKeys(readModels),
    });
  } catch (error) {
    if ((error as Error).name !== 'MasterKeyFault') throw error;
    throw new CommandFault(`${(error as Error).message}. Give the MASTER_KEY of the services.`);
  }
}
