import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  childEnvironment,
  stopOfChild,
  watchChild,
  type ChildEnd,
  type ChildStop,
} from '@tender/kernel';

/**
 * Java ends with this process, whatever ends it: the shell holds the other end of a pipe that only this
 * process keeps open. `$0` is the grace in seconds between SIGTERM and SIGKILL then.
 */
const WITH_ITS_PARENT = `
  exec 3<&0
  "$@" </dev/null >/dev/null 3<&- &
  java=$!
  echo "$java"
  { cat <&3 >/dev/null; kill -TERM "$java"; sleep "$0"; kill -KILL "$java"; } >/dev/null 2>&1 &
  watch=$!
  wait "$java"
  code=$?
  kill -KILL "$watch" 2>/dev/null
  exit "$code"
`;
const ORPHAN_GRACE_SECONDS = '5';
const STOP_WAIT_MS = 20_000;
/** Keeps no process alive. */
const grace = (): Promise<void> => sleep(STOP_WAIT_MS, undefined, { ref: false });

/** Small and quick to start: one broker, a few topics. */
const JVM = [
  ...['-Xmx256m', '-Xms64m', '-Xss512k', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  ...['-XX:-UsePerfData', '-Xshare:auto', '-Dorg.slf4j.simpleLogger.defaultLogLevel=error'],
];

/** What Java reads beside what the machine asks for. */
const OF_JAVA = ['JAVA_HOME', 'JAVA_TOOL_OPTIONS', 'JDK_JAVA_OPTIONS'];

/** `stop` gives it 20 s; after `kill` the broker has flushed nothing and closed nothing in order. */
export interface BrokerProcess extends ChildEnd, ChildStop {
  /** Of the Java process. */
  readonly pid: number;
}

export function javaCommand(
  jars: string,
  main: string,
  args: readonly string[],
): readonly string[] {
  return [...JVM, '-cp', `${jars}/*`, main, ...args];
}

const environmentOfJava = () => childEnvironment(process.env, OF_JAVA);

/** Runs Java to its end, in the environment that a broker has. */
export const runJava = (args: readonly string[]) =>
  spawnSync('java', args, { encoding: 'utf8', env: environmentOfJava() });

export async function launchBroker(jars: string, properties: string): Promise<BrokerProcess> {
  const java = ['java', ...javaCommand(jars, 'kafka.Kafka', [properties])];
  const shell = spawn('sh', ['-c', WITH_ITS_PARENT, ORPHAN_GRACE_SECONDS, ...java], {
    env: environmentOfJava(),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A Ctrl-C is for the program, which stops the broker when it has done with it.
    detached: true,
  });
  const { ended: shell_ended, closed, said } = watchChild(shell);
  const ended = shell_ended.then(howJavaEnded);
  const pid = await javaPid(shell, closed);
  const signal = (name: 'SIGTERM' | 'SIGKILL'): void => {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended already.
    }
  };
  return { pid, ended, said, ...stopOfChild(signal, ended, grace) };
}

/** The first exception among what Java has said, else its last line. */
export function reasonIn(said: string): string {
  const lines = said.split('\n').filter(Boolean);
  const exception = lines.find((line) => /^[\w.$]+(?:Exception|Error): /.test(line));
  return exception ?? lines.at(-1) ?? 'it says nothing';
}

async function javaPid({ stdout }: ChildProcess, closed: Promise<string>): Promise<number> {
  const failed = closed.then((how) => {
    throw new Error(`the shell of the broker ended (${how}) at start`);
  });
  // One that could not be spawned may have no streams.
  if (!stdout) return failed;
  const lines = createInterface({ input: stdout });
  const line = await Promise.race([once(lines, 'line').then(([text]) => String(text)), failed]);
  lines.close();
  return Number(line);
}

/** The shell ends with 128 and the number of the signal that ended Java. */
function howJavaEnded(how: string): string {
  const signal = Object.entries(constants.signals).find(([, number]) => how === `${128 + number}`);
  return signal?.[0] ?? how;
}
