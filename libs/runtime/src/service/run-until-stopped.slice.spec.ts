import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../../..');
const HOOK = path.join(ROOT, 'scripts/typescript-hook.cjs');
const STUCK = path.join(__dirname, '../testing/stuck-process.ts');

test('a program that cannot be ended in time ends as it is, says so, and obeyed: exit code 0', async () => {
  const program = spawn(process.execPath, ['--conditions=source', '-r', HOOK, STUCK], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  program.stderr.on('data', (chunk: Buffer) => (said += String(chunk)));
  const ended = once(program, 'close');
  try {
    await once(program.stdout, 'data');
    program.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(said).toContain('stuck was not done within 50 ms');
  } finally {
    program.kill('SIGKILL');
  }
});
