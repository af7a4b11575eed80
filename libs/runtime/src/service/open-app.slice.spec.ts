import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bus, Log, Runtime } from '@tender/eventing';
import { BusTransport } from '../bus-transport';
import { openApp } from './open-app';

test('a process whose data folder is gone is not ready', async () => {
  const data_dir = mkdtempSync(path.join(tmpdir(), 'open app '));
  const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const eventStore = { newest: () => Promise.resolve(null) };
  const app = await openApp({
    server: {},
    modules: [],
    runtime: { log, eventStore } as unknown as Runtime,
    data_dir,
    providers: [],
    transport: new BusTransport({} as Bus),
  });
  try {
    expect(await app.ready()).toBe(false);
    await app.listen({ host: '127.0.0.1', port: 0 });
    expect(await app.ready()).toBe(true);
    rmSync(data_dir, { recursive: true });
    expect(await app.ready()).toBe(false);
  } finally {
    await app.end();
    rmSync(data_dir, { recursive: true, force: true });
  }
});
