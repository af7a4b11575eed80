import { sayJson } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';
import type { Identity } from './read-identity';

/** The first thing that a command says: which system it looks at. `log_fault`: why the log is not the one of the tables. */
export function sayIdentity(terminal: Terminal, identity: Identity, log_fault: string | null): void {
  const warnings = warningsOf(identity, log_fault);
  if (!terminal.is_terminal) return sayJson(terminal, { line: 'system', ...identity, warnings });
  for (const line of described(identity)) terminal.say(line);
  for (const warning of warnings) terminal.complain(`tender: warning: ${warning}`);
  terminal.say('');
}

export function described(identity: Identity): readonly string[] {
  const { run, data_dir, database, database_from, eventstore, release } = identity;
  return [
    `System:   ${run ?? 'not known yet whether one process or services'}, ${life(identity)}`,
    `Database: ${database}, ${database_from === 'DATA_DIR' ? `of the data folder ${data_dir}` : 'as DATABASE_URL says'}`,
    `Log:      ${eventstore ?? 'in the same database'}`,
    `Release:  ${release}; ${tables(identity)}`,
  ];
}

function life({ processes, pid }: Identity): string {
  if (pid !== null) return `pid ${pid}`;
  if (processes === 0) return 'not running';
  return processes === 1 ? '1 process is connected' : `${processes} processes are connected`;
}

function tables({ projections }: Identity): string {
  const moved = projections.filter(({ live, others }) => live > 1 || others.length > 0);
  const first = `g1 of ${projections.length - moved.length} projections`;
  const others = moved.map(({ projection, live, others }) => {
    const beside = others.map(({ generation, state }) => `, g${generation} ${state}`).join('');
    return `; ${projection} g${live} live${beside}`;
  });
  return [first, ...others].join('');
}

/** What an operator who looks at the wrong system would want to have been told. */
export function warningsOf(identity: Identity, log_fault: string | null): readonly string[] {
  const { database_from, data_dir, neighbours, migrations_missing, migrations_unknown } = identity;
  return [
    ...neighbours.map(
      (other) =>
        `another system runs on the data folder ${other.data_dir} ` +
        `(${other.pid === null ? 'its program was killed, its Postgres is left' : `pid ${other.pid}`}); this is not it. ` +
        `For that one ${database_from === 'DATABASE_URL' ? 'unset DATABASE_URL and ' : ''}set DATA_DIR=${other.data_dir}`,
    ),
    ...(database_from === 'DATA_DIR' && identity.pid === null
      ? [`no program owns the data folder ${data_dir}: its Postgres was left by one that was killed`]
      : []),
    ...(log_fault === null ? [] : [log_fault]),
    ...(migrations_missing > 0
      ? [`the tables are of an older release: ${migrations_missing} of its changes are missing. Start the services of this release`]
      : []),
    ...(migrations_unknown > 0
      ? [`the tables are of a newer release: this one does not know ${migrations_unknown} of their changes. Use the command of that release`]
      : []),
  ];
}
