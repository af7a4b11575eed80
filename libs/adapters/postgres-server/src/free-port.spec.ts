import { createServer } from 'node:net';
import { jest } from '@jest/globals';
import type * as FreePort from './free-port';

/** As another process has it: with a block of its own. */
function ofAnotherProcess(): () => Promise<number> {
  const given: (() => Promise<number>)[] = [];
  jest.isolateModules(() => {
    given.push(jest.requireActual<typeof FreePort>('./free-port').freePort);
  });
  return given[0] as () => Promise<number>;
}

const listening = (port: number) =>
  new Promise<() => Promise<void>>((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () =>
      resolve(() => new Promise((closed) => server.close(() => closed()))),
    );
  });

beforeEach(() => {
  // Each process begins its search at the same place.
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  jest.restoreAllMocks();
});

test('processes that begin to start servers, and do not listen yet, are given no port twice', async () => {
  const askers = [ofAnotherProcess(), ofAnotherProcess(), ofAnotherProcess()];
  const given: number[] = [];
  for (const ask of askers) for (let count = 0; count < 60; count += 1) given.push(await ask());
  expect(new Set(given).size).toBe(180);
});

test('a port on which another program listens is left out', async () => {
  const ask = ofAnotherProcess();
  const port = await ask();
  const close = await listening(port + 1);
  expect(await ask()).toBe(port + 2);
  await close();
});
