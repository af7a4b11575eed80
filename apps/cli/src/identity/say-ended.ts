import { readDatabaseUrl, readDataDir } from '../settings';
import { sayJson } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';
import { databaseAddress, eventStoreAddress, isSameServer } from './addresses';
import { neighboursOf } from './neighbours';
import { releaseOf } from './read-identity';
import { besideWarning } from './say-identity';

/** The same for a program that has ended, whose database may not run yet. `to`: where its log is to go. */
export function sayEnded(terminal: Terminal, env: NodeJS.ProcessEnv, to: string | null): void {
  const given = readDatabaseUrl(env);
  const data_dir = readDataDir(env);
  const database = given === null ? null : databaseAddress(given);
  const database_from = given === null ? 'DATA_DIR' : 'DATABASE_URL';
  const eventstore = to === null ? null : eventStoreAddress(to);
  const release = releaseOf();
  const neighbours = neighboursOf(data_dir, (url, folder) =>
    given === null ? folder === data_dir : isSameServer(url, given),
  );
  const warnings = neighbours.map((one) => besideWarning(one, database_from));
  if (!terminal.is_terminal) {
    const facts = { run: 'one process', data_dir, database, database_from, eventstore, release };
    return sayJson(terminal, { line: 'system', ...facts, neighbours, warnings });
  }
  terminal.say(`System:   one process that has ended, release ${release} of this command`);
  terminal.say(`Database: ${database ?? `of the data folder ${data_dir}`}`);
  terminal.say(`Log:      ${eventstore === null ? 'stays in the same database' : `goes to ${eventstore}`}`);
  for (const warning of warnings) terminal.complain(`tender: warning: ${warning}`);
  terminal.say('');
}
