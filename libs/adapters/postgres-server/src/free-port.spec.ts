import { createServer } from 'node:net';
import { jest } from '@jest/globals';
import type * as FreePort from './free-port';

/** As another process has it: with a block of its own. */
function ofAnotherProcess(): typeof FreePort {
  const given: (typeof FreePort)[] = [];
  jest.isolateModules(() => {
    given.push(jest.requireActual<typeof FreePort>('./free-port'));
  });
  return given[0] as typeof FreePort;
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
  for (const { freePort } of askers) {
    for (let count = 0; count < 60; count += 1) given.push(await freePort());
  }
  expect(new Set(given).size).toBe(180);
});

test('a port on which another program listens is left out', async () => {
  const { freePort } = ofAnotherProcess();
  const port = await freePort();
  const close = await listening(port + 1);
  expect(await freePort()).toBe(port + 2);
  await close();
});

describe('a port that a server comes back to', () => {
  test('nobody is given as a free one while the server is down', async () => {
    const kept = jest.spyOn(Math, 'random').mockReturnValue(0.999_999);
    const last = await ofAnotherProcess().portToKeep();
    kept.mockReturnValue(0);
    expect(last + 1).toBeLessThan(await ofAnotherProcess().freePort());
  });

  test('and the one after it are given to one process alone, and once', async () => {
    const askers = [ofAnotherProcess(), ofAnotherProcess()];
    const given: number[] = [];
    for (const { portToKeep } of [...askers, ...askers]) given.push(await portToKeep());
    expect(new Set(given.flatMap((port) => [port, port + 1])).size).toBe(8);
  });

  test('has none after it on which another program listens', async () => {
    const next = (await ofAnotherProcess().portToKeep()) + 3;
    // Where it cannot, a program of this machine listens there already.
    const close = await listening(next + 1).catch(() => () => Promise.resolve());
    expect(await ofAnotherProcess().portToKeep()).not.toBe(next);
    await close();
  });
});
