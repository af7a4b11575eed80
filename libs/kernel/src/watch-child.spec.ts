import { fork, spawn, type ChildProcess } from 'node:child_process';
import { watchChild } from './watch-child';

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
