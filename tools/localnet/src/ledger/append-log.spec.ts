import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppendLog } from './append-log';

describe('append log', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'localnet-log-'));
    path = join(folder, 'ledger.log');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const headersIn = (log: AppendLog) => [...log.lines()].map(({ header }) => header);

  async function written(count: number): Promise<void> {
    const log = new AppendLog(path);
    for (let n = 1; n <= count; n += 1) log.append({ n }, { text: `tab\tline\nü${n}` });
    await log.close();
  }

  it('gives back what was appended, headers in order and bodies by position', async () => {
    await written(3);
    const log = new AppendLog(path);
    expect(headersIn(log)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
    const [, second] = [...log.lines()];
    const expected = { header: { n: 2 }, body: { text: 'tab\tline\nü2' } };
    expect(second && log.read(second)).toEqual(expected);
    await log.close();
  });

  it('reads a line longer than one chunk', async () => {
    const log = new AppendLog(path);
    log.append({ n: 1 }, { long: 'x'.repeat(3_000_000) });
    log.append({ n: 2 });
    expect(headersIn(log)).toEqual(['{"n":1}', '{"n":2}']);
    await log.close();
  });

  it.each([
    ['half a line', (line: string) => line.slice(0, line.length / 2)],
    ['a line of zeros with its newline', (line: string) => `${'\0'.repeat(line.length - 1)}\n`],
  ])('cuts off a torn last line: %s', async (_, tear) => {
    await written(2);
    const whole = readFileSync(path, 'utf8');
    appendFileSync(path, tear(whole.slice(0, whole.indexOf('\n') + 1)));
    const log = new AppendLog(path);
    expect(headersIn(log)).toEqual(['{"n":1}', '{"n":2}']);
    log.append({ n: 3 });
    expect(headersIn(log)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
    await log.close();
    expect(readFileSync(path, 'utf8').startsWith(whole)).toBe(true);
  });

  it('refuses a log that is damaged in the middle', async () => {
    await written(3);
    writeFileSync(path, readFileSync(path, 'utf8').replace('{"n":2}', '{"n":9}'));
    expect(() => headersIn(new AppendLog(path))).toThrow('log damaged at byte');
  });
});
