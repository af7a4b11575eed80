/**
 * @landing embedded
 * @program own
 */
import { createServer } from 'node:net';
import { freePort } from '@tender/adapter-postgres-server';
import { Program } from '../harness/program';

let program: Program;
beforeEach(() => {
  program = new Program();
});
afterEach(() => program.discard());

/** What the program says, warnings aside, when it is started with `env` on the data of `program`. */
async function complaintOf(env: Readonly<Record<string, string>>): Promise<string> {
  const run = new Program({ LOG_LEVEL: 'error', ...env }, program.data_dir);
  await expect(run.start()).rejects.toThrow('the program ended with 1');
  return run.output;
}

const masterKey = (byte: number) => Buffer.alloc(32, byte).toString('hex');

test('a setting that cannot be used is one sentence that names it, without its value', async () => {
  const admin = await complaintOf({ ADMIN_TOKEN: 'svc_admin_letmein' });
  expect(admin).toMatch(/^Tender cannot start: ADMIN_TOKEN must be .*\n$/);
  expect(admin).not.toContain('letmein');

  const master = await complaintOf({ MASTER_KEY: 'a-passphrase' });
  expect(master).toMatch(/^Tender cannot start: MASTER_KEY must be 32 bytes.*\n$/);
  expect(master).not.toContain('a-passphrase');
});

test('another MASTER_KEY than the one that sealed the data is refused in a sentence, and changes nothing', async () => {
  const owner = new Program({ MASTER_KEY: masterKey(1) }, program.data_dir);
  await owner.start();
  await owner.stop();

  const complaint = await complaintOf({ MASTER_KEY: masterKey(2) });
  expect(complaint).toMatch(/^Tender cannot start: .* another MASTER_KEY\? Give the MASTER_KEY .*\n$/);
  expect(complaint).not.toContain(masterKey(2));

  await owner.start();
  await owner.stop();
});

test('a thread that cannot start says so as the program would, and what was started ends', async () => {
  const { port, free } = await beforeTaken();
  const METRICS_PORT = String(port);
  const complaint = await complaintOf({ METRICS_PORT });
  expect(complaint).toMatch(new RegExp(`^Tender cannot start: .*${port + 1}.*\\n$`));
  free();
  const run = new Program({ METRICS_PORT }, program.data_dir);
  await run.start();
  await run.stop();
});

/** A free port, and what frees the one after it, which is taken. */
async function beforeTaken(): Promise<{ readonly port: number; readonly free: () => void }> {
  for (;;) {
    const port = await freePort();
    const server = createServer();
    const is_taken = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port + 1, '127.0.0.1', () => resolve(true));
    });
    if (is_taken) return { port, free: () => void server.close() };
  }
}
