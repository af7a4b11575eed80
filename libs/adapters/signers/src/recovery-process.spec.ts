import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Unavailable } from '@tender/eventing';
import { openRecoveryProcess } from './recovery-process';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tender recovery '));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that answers with what it was asked and where it runs; as the program that holds a share would. */
const ANSWERS = `
  process.send({ type: 'ready', identity_key: 'a key' });
  process.on('message', ({ id, message }) =>
    process.send({ id, answer: { message, pid: process.pid, env: Object.keys(process.env) } }));
`;

const lines: unknown[] = [];
const write = (fields: object): void => void lines.push(fields);
const log = { info: write, warn: write, error: write };
beforeEach(() => void lines.splice(0));

function open(program: string, lives_ms?: number) {
  const main = path.join(folder, 'recovery.cjs');
  writeFileSync(main, program);
  return openRecoveryProcess({ main, recovery_key: 'offline', log, ...(lives_ms ? { lives_ms } : {}) });
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('runs in a process of its own that knows the offline key alone, and ends', async () => {
  process.env['MASTER_KEY'] = 'of this process';
  const party = await open(ANSWERS);
  delete process.env['MASTER_KEY'];
  expect(party.identity_key).toBe('a key');
  const asked = [party.ask('one'), party.ask('two')];
  const answers = (await Promise.all(asked)) as { message: string; pid: number; env: string[] }[];
  expect(answers.map(({ message }) => message)).toEqual(['one', 'two']);
  const [{ pid, env }] = answers as [(typeof answers)[0]];
  expect(pid).not.toBe(process.pid);
  expect(env).toEqual(['RECOVERY_KEY']);
  await party.end();
  expect(isAlive(pid)).toBe(false);
  await expect(party.ask('three')).rejects.toBeInstanceOf(Unavailable);
});

test('one that cannot start is unavailable, and what it said is in the log', async () => {
  const opening = open('throw new Error("no key")');
  await expect(opening).rejects.toBeInstanceOf(Unavailable);
  expect(JSON.stringify(lines)).toContain('no key');
});

test('one that neither answers nor ends is killed', async () => {
  const mute = "process.removeAllListeners('message'); process.on('message', () => {});";
  // A busy machine may end it before it has said that it is ready, with the same words.
  const asked = open(`${ANSWERS} ${mute}`, 300).then((party) => party.ask('one'));
  await expect(asked).rejects.toThrow('its process ended (SIGKILL)');
});
