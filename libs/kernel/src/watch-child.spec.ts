import { fork, spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { showErrors, stopOfChild, watchChild } from './watch-child';

const NODE = process.execPath;
const NOWHERE = '/nowhere/program';

/** How it ended, and what it had said by then. */
async function endOf(child: ChildProcess): Promise<readonly string[]> {
  const { ended, closed, said } = watchChild(child);
  const how = await closed;
  return [how, said(), await ended];
}

test('of a child that has ended is known how, and all that it said', async () => {
  const script = 'console.error("the port is taken"); process.exitCode = 3';
  expect(await endOf(spawn(NODE, ['-e', script]))).toEqual(['3', 'the port is taken', '3']);
});

test.each([
  ['a program', () => spawn(NOWHERE)],
  ['a program with a channel', () => fork('main.js', [], { execPath: NOWHERE, silent: true })],
])('%s that cannot be spawned has ended, and why is known', async (_, start) => {
  const why = `spawn ${NOWHERE} ENOENT`;
  expect(await endOf(start())).toEqual([why, '', why]);
});

test('what could not be sent to a child ends neither it nor this process', async () => {
  const child = spawn(NODE, ['-e', 'setTimeout(() => undefined, 600_000)']);
  const { ended } = watchChild(child);
  child.emit('error', new Error('kill EPERM'));
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
});

test('many children show their errors, and Node takes none of them for a leak', async () => {
  const shown = new PassThrough();
  let said = '';
  shown.on('data', (chunk: Buffer) => (said += String(chunk)));
  const speak = () => spawn(NODE, ['-e', 'console.error("one says")']);
  const children = Array.from({ length: 12 }, speak);
  for (const child of children) showErrors(child, shown);
  const listeners = Math.max(...shown.eventNames().map((event) => shown.listenerCount(event)));
  expect(listeners).toBeGreaterThan(EventEmitter.defaultMaxListeners);
  // For Node: as many as there are.
  expect(shown.getMaxListeners()).toBe(0);
  await Promise.all(children.map((child) => watchChild(child).closed));
  expect(said).toBe('one says\n'.repeat(12));
});

const DEAF = 'process.on("SIGTERM", () => undefined);';

test('a child that has ended is sent no signal when its time to end is over', async () => {
  const sent: string[] = [];
  const grace = Promise.withResolvers<void>();
  const { stop } = stopOfChild((name) => sent.push(name), Promise.resolve(), () => grace.promise);
  await stop();
  grace.resolve();
  await new Promise(setImmediate);
  expect(sent).toEqual(['SIGTERM']);
});

test.each([
  ['stopped', 'SIGTERM', '', 'stop', () => new Promise(() => undefined)],
  ['stopped and does not end', 'SIGKILL', DEAF, 'stop', () => Promise.resolve()],
  ['killed', 'SIGKILL', '', 'kill', () => Promise.reject(new Error('nothing waits'))],
] as const)('a child that is %s has ended by %s', async (_, how, begins, end, grace) => {
  const script = `${begins} setInterval(() => undefined, 600_000); console.log('runs')`;
  const child = spawn(NODE, ['-e', script]);
  await once(child.stdout, 'data');
  const { ended } = watchChild(child);
  await stopOfChild((name) => child.kill(name), ended, grace)[end]();
  expect(await ended).toBe(how);
});
