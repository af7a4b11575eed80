// What many tests share, started once before them and ended after them: a Postgres for the specs, in which each takes a
// database of its own, a program for the stories that neither kill it nor change what others see of it, and a Kafka for
// the programs of the others, each with topics of its own.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { mainOf } from './launch.mjs';
import { environment, node24 } from './node24.mjs';
import { root, say } from './terminal.mjs';

/** Only ends what hangs. */
const START_MS = 600_000;
const STOP_MS = 120_000;

/** `{ env, stop }`: where tests find the servers that they asked for. When one cannot start, none is left running. */
export async function startTestServers({ postgres, program, kafka }) {
  const starting = [
    ...(postgres ? [startPostgres()] : []),
    ...(program ? [startProgram(program)] : []),
    ...(kafka ? [startKafka()] : []),
  ];
  const outcomes = await Promise.allSettled(starting);
  const started = outcomes.flatMap(({ value }) => value ?? []);
  const stop = () => Promise.all(started.map((server) => server.stop()));
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return { env: Object.assign({}, ...started.map(({ env }) => env)), stop };
}

async function startPostgres() {
  const main = join(root, 'libs/adapters/postgres/src/testing/postgres-process.ts');
  const execArgv = ['--conditions=source', '-r', join(root, 'scripts/typescript-hook.cjs')];
  const { ready, stop } = await start('Postgres for the specs', main, execArgv, {});
  return { env: { TEST_DATABASE_URL: ready.url }, stop };
}

async function startKafka() {
  const { ready, stop } = await start('Kafka for the stories', join(root, 'tools/kafka/dist/shared-broker.js'), [], {});
  return { env: { KAFKA_BROKERS: ready.brokers }, stop };
}

/** `run` is one of those that stories are played on. */
async function startProgram(run) {
  const folder = mkdtempSync(join(tmpdir(), 'tender-scenarios-'));
  const app = run === 'embedded' ? 'apps/embedded' : 'apps/distributed';
  // What a program that had to be killed has begun ends a moment after it, and writes until then.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
  const starting = start('the program for the stories', mainOf(app), [], {
    ...{ PORT: '0', DATA_DIR: folder, RATE_LIMITS: 'off' },
    ...(run === 'embedded' ? {} : { EVENT_STORE: run }),
    // On a cluster that others use, too, the topics of this program are its own.
    KAFKA_NAMESPACE: process.env.KAFKA_BROKERS ? `${basename(folder)}.` : '',
  });
  starting.catch(remove);
  const { ready, stop } = await starting;
  return { env: { TENDER_PROGRAM: JSON.stringify(ready) }, stop: () => stop().finally(remove) };
}

/** Resolves with the first message of type `ready`; rejects with what the process said when it ends before that. */
async function start(what, main, execArgv, env) {
  const child = fork(main, [], {
    ...{ execPath: node24(), execArgv, env: environment({ ...env, NODE_OPTIONS: '' }) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (said = (said + chunk).slice(-4_000)));
  }
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const ready = await new Promise((resolve, reject) => {
    child.on('message', (message) => message.type === 'ready' && resolve(message));
    child.once('error', reject);
    void ended.then((how) => reject(new Error(`${what} ended with ${how}:\n${said}`)));
  }).finally(() => clearTimeout(deadline));
  let is_over = false;
  void ended.then((how) => {
    if (!is_over) say(`${what} ended with ${how} before its tests:\n${said}`);
  });
  return {
    ready,
    async stop() {
      is_over = true;
      child.kill('SIGTERM');
      const hurry = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(hurry);
    },
  };
}
