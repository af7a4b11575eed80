import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account';
import { ensureCluster, placesIn } from './cluster';
import { launch } from './server';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** Whose programs are gone. */
const account: Account = {
  kind: 'self',
  own: () => undefined,
  run: (program) => spawn(`/nowhere/${program}`),
};

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'unspawned-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('a server that cannot be spawned does not start, and says why', async () => {
  await expect(launch(folder, account, silent, {})).rejects.toMatchObject({
    name: 'PostgresFault',
    message: expect.stringContaining('Postgres does not start: spawn /nowhere/postgres ENOENT.') as string,
  });
});

test('files that no program can make are a fault of Postgres, too', async () => {
  await expect(ensureCluster(placesIn(folder), account, {})).rejects.toMatchObject({
    name: 'PostgresFault',
    message: expect.stringContaining('spawn /nowhere/initdb ENOENT') as string,
  });
});
