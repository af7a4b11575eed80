import { Unavailable } from '@tender/eventing';
import { readCommand, type Command } from './arguments';
import { runAuditVerify } from './audit/run-audit-verify';
import { runErase } from './erase/run-erase';
import { runChainRestart } from './chain-restart/run-chain-restart';
import { CommandFault, UsageFault } from './faults';
import { HELP } from './help';
import { readIdentity } from './identity/read-identity';
import { sayIdentity } from './identity/say-identity';
import { runInvariants } from './invariants/run-invariants';
import { runListen } from './listen/run-listen';
import { runMigrateLog } from './migrate-log/run-migrate-log';
import { runParked } from './parked/run-parked';
import { showProjections } from './projections/show-projections';
import { runReplay } from './replay/run-replay';
import { readPlaces } from './settings';
import { openSystem } from './system';
import { forProgram, type Terminal } from './terminal/terminal';

/** Runs one command to its end; answers the exit code. Every fault is a sentence on standard error. */
export async function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<number> {
  try {
    const { command, json } = readCommand(args);
    if (command.command !== 'help') {
      return await carryOut(command, env, json ? forProgram(terminal) : terminal);
    }
    terminal.say(HELP);
    return 0;
  } catch (error) {
    terminal.complain(`tender: ${sentence(error)}`);
    if (error instanceof UsageFault) terminal.complain('"tender --help" shows every command.');
    return error instanceof CommandFault ? error.exit_code : 1;
  }
}

async function carryOut(
  command: Exclude<Command, { command: 'help' }>,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<number> {
  if (command.command === 'migrate-log') return runMigrateLog(env, terminal, command);
  if (command.command === 'listen') {
    await runListen(env, terminal, command);
    return 0;
  }
  const places = readPlaces(env);
  const system = await openSystem(places, (line) => terminal.complain(`tender: ${line}`));
  try {
    sayIdentity(terminal, await readIdentity(system.readModels, places), system.log_fault);
    switch (command.command) {
      case 'projections':
        await showProjections(system, terminal);
        return 0;
      case 'parked':
        await runParked(system, terminal, command);
        return 0;
      case 'erase':
        await runErase(system, terminal, command, env);
        return 0;
      case 'audit-verify':
        await runAuditVerify(system, terminal, env);
        return 0;
      case 'chain-restart':
        await runChainRestart(system, terminal, command);
        return 0;
      case 'invariants':
        return await runInvariants(system, terminal);
      case 'replay':
        return await runReplay(system, terminal, command);
    }
  } finally {
    await system.close();
  }
}

/** Postgres. */
const UNDEFINED_TABLE = '42P01';

function sentence(error: unknown): string {
  if (error instanceof CommandFault) return error.message;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  const is_unreachable =
    error instanceof Unavailable || /^(ECONN|ENOTFOUND|EHOST|ETIMEDOUT|28|3D)/.test(code ?? '');
  if (error instanceof Unavailable && error.part === 'event store') {
    return `The EventStoreDB does not answer (${message}). Check EVENTSTORE_URL.`;
  }
  if (is_unreachable) return `The database does not answer (${message}). Check DATABASE_URL or DATA_DIR.`;
  if (code === UNDEFINED_TABLE) {
    return `The database lacks a table (${message}). Start the services of this release once, they make it.`;
  }
  return stack ?? message ?? String(error);
}
