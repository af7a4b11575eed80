// Jest on Node 24. Its own exit code says little; the results say it all.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment, node24 } from './node24.mjs';
import { root, run } from './terminal.mjs';

/**
 * `{ passed, failed, skipped, ok }`. A file that could not run counts as one failed test.
 */
export async function jest(args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tender-test-'));
  const results = join(folder, 'results.json');
  const program = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const all = [program, '--ci', '--json', `--outputFile=${results}`, ...args];
  const code = await run(node24(), all, { env: environment(env) });
  try {
    const found = JSON.parse(readFileSync(results, 'utf8'));
    const failed = found.numFailedTests + found.numRuntimeErrorTestSuites;
    const skipped = found.numPendingTests + found.numTodoTests;
    const ok = code === 0 && found.success && failed === 0 && found.numTotalTests > 0;
    return { passed: found.numPassedTests, failed: ok ? 0 : Math.max(failed, 1), skipped, ok };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, ok: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
