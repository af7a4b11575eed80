import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { processTree, pssMb, treeCpu, treePssMb } from './processes';



test('a tree holds the children, and what ended children used stays counted', async () => {
  const child = spawn(process.execPath, [
    '-e',
    'const until = Date.now() + 200; while (Date.now() < until); process.stdin.resume()',
  ]);
  expect(processTree(process.pid).map(({ pid }) => pid)).toContain(child.pid);
  expect(treePssMb(process.pid)).toBeGreaterThan(pssMb(process.pid));
  const before = treeCpu(process.pid);
  await new Promise((resolve) => setTimeout(resolve, 400));
  child.stdin.end();
  await once(child, 'exit');
  expect(treeCpu(process.pid)).toBeGreaterThan(before);
});
