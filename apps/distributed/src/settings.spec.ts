import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SERVICES } from '@tender/contracts';
import { readDistributedSettings } from './settings';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'distributed settings '));
});
afterEach(() => rmSync(dir, { recursive: true }));

const read = (PORT: number, METRICS_PORT: number, REPLICAS = 1) =>
  readDistributedSettings({
    DATA_DIR: dir,
    ...{ PORT: `${PORT}`, METRICS_PORT: `${METRICS_PORT}`, REPLICAS: `${REPLICAS}` },
  });

const METRICS = 20_000;
const LAST = METRICS + SERVICES.length - 1;
const CLASH = 'name another METRICS_PORT or PORT.';

describe('the ports of metrics', () => {
  it.each([METRICS, METRICS + 1, LAST])('do not take PORT %i', (port) => {
    expect(() => read(port, METRICS)).toThrow(`, to ${LAST}, and PORT is ${port}: ${CLASH}`);
  });

  it('are those of every replica', () => {
    expect(() => read(LAST + SERVICES.length, METRICS, 2)).toThrow(CLASH);
  });

  it.each([
    [METRICS - 1, METRICS],
    [LAST + 1, METRICS],
    [0, METRICS],
    [8080, 0],
    [0, 0],
  ])('beside PORT %i, from %i on, are taken as they are', (port, metrics_port) => {
    expect(read(port, metrics_port)).toMatchObject({ port, metrics_port });
  });

  it('end at the last port that there is', () => {
    const most = 65_536 - SERVICES.length;
    expect(read(8080, most).metrics_port).toBe(most);
    expect(() => read(8080, most + 1)).toThrow(`name ${most} or less.`);
  });
});
