import { sayJson } from '../terminal/tell';
import type { Terminal } from '../terminal/terminal';
import { lifeOf, type Neighbour } from './neighbours';
import type { Identity } from './read-identity';

/** First of all: which system a command looks at. `log_fault`: why the log is not the one of the tables. */
export function sayIdentity(
  terminal: Terminal,
  identity: Identity,
  log_fault: string | null,
): void {
  const warnings = warningsOf(identity, log_fault);
  if (!terminal.is_terminal) return sayJson(terminal, { line: 'system', ...identity, warnings });
  for (const line of described(identity)) terminal.say(line);
  for (const warning of warnings) terminal.complain(`tender: warning: ${warning}`);
  terminal.say('');
}

export function described(identity: Identity): readonly string[] {
  const { run, data_dir, database, database_from, eventstore, release } = identity;
  const from =
    database_from === 'DATA_DIR' ? `of the data folder ${data_dir}` : 'as DATABASE_URL says';
  return [
    `System:   ${run ?? 'not known yet whether one process or services'}, ${life(identity)}`,
    `Database: ${database}, ${from}`,
    `Log:      ${eventstore ?? 'in the same database'}`,
    `Release:  ${release}; ${tables(identity)}`,
  ];
}

function life({ processes, pid }: Identity): string {
  if (pid !== null) return `pid ${pid}`;
  if (processes === 0) return 'not running';
  return processes === 1 ? '1 process is connected' : `${processes} processes are connected`;
}

/** `g1 of 14 projections, g2 of 2; 2 kept beside them; payments.receipts@1 g3 building` */
function tables({ projections }: Identity): string {
  const numbers = [...new Set(projections.map(({ live }) => live))].sort((a, b) => a - b);
  const live = numbers.map((number, place) => {
    const count = projections.filter((one) => one.live === number).length;
    return `g${number} of ${count}${place === 0 ? ' projections' : ''}`;
  });
  const beside = projections.flatMap(({ projection, others }) =>
    others.map(({ generation, state }) => ({ state, named: `${projection} g${generation} building` })),
  );
  const kept = beside.filter(({ state }) => state === 'kept').length;
  const building = beside.filter(({ state }) => state === 'building').map(({ named }) => named);
  return [live.join(', '), ...(kept > 0 ? [`${kept} kept beside them`] : []), ...building].join('; ');
}

/** What an operator who looks at the wrong system would want to have been told. */
export function warningsOf(identity: Identity, log_fault: string | null): readonly string[] {
  const { database_from, data_dir, neighbours, migrations_missing, migrations_unknown } = identity;
  return [
    ...neighbours.map((other) => besideWarning(other, database_from)),
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

/** Another system lives on this machine, and may be the one that is meant. */
export function besideWarning(
  neighbour: Neighbour,
  database_from: Identity['database_from'],
): string {
  const { data_dir } = neighbour;
  const way = database_from === 'DATABASE_URL' ? 'unset DATABASE_URL and ' : '';
  return (
    `another system runs on the data folder ${data_dir} (${lifeOf(neighbour)}); this is not it. ` +
    `For that one ${way}set DATA_DIR=${data_dir}`
  );
}
