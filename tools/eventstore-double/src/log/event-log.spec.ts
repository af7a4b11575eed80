import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventLog, type Proposed } from './event-log';

const proposed = (id: string): Proposed => ({
  ...{ id, type: 'Noted', content_type: 'application/json' },
  ...{ data: Buffer.from('{}'), metadata: Buffer.from('{}') },
});

describe('the log of the double', () => {
  let folder: string;
  let path: string;
  let log: EventLog;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'event-log-'));
    path = join(folder, 'events.log');
    log = new EventLog(path, () => 1_700_000_000_000);
  });
  afterEach(async () => {
    await log.close();
    rmSync(folder, { recursive: true });
  });

  it('answers when the file has it, whether it took it or refused it', async () => {
    const first = log.append('note-1', [proposed('one')], 0);
    const refused = log.append('note-1', [proposed('two')], 0);
    expect(log.length).toBe(0);
    expect(await refused).toEqual({ ok: false, current: 0 });
    expect(readFileSync(path, 'utf8')).toContain('"id":"one"');
    expect(await first).toMatchObject({ ok: true, revision: 0 });
    expect(log.length).toBe(1);
  });

  it('has after a restart what it had, at the same places', async () => {
    const outcomes = [
      await log.append('note-1', [proposed('one'), proposed('two')], 0),
      await log.append('note-2', [proposed('three')], 0),
    ];
    const before = [0, 1, 2].map((index) => log.at(index));
    await log.close();
    log = new EventLog(path, () => 0);
    expect([0, 1, 2].map((index) => log.at(index))).toEqual(before);
    expect([
      await log.append('note-1', [proposed('one'), proposed('two')], 0),
      await log.append('note-2', [proposed('three')], 0),
    ]).toEqual(outcomes);
    expect(log.length).toBe(3);
  });
});
