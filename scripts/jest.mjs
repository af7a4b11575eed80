// Jest on Node 24. Its own exit code says too little, so this reads its results.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { environment, node24 } from './node24.mjs';
import { root, run } from './terminal.mjs';

const FOLLOW_PARENT = join(root, 'scripts', 'follow-parent.cjs');
const program = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
/** Where `spec-groups.mjs` writes. */
const GROUPS = join('.nx', 'spec-groups');

/**
 * `{ passed, failed, skipped, ok, files, failures }`, with `{ path, seconds, tests, assertions }` of each file and
 * `{ test, message }` of each failure. A file that could not run counts as one failed test.
 */
export async function jest(args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tender-test-'));
  const results = join(folder, 'results.json');
  // It ends with us, however we end.
  const all = ['-r', FOLLOW_PARENT, program, '--ci', '--json', `--outputFile=${results}`, ...args];
  const code = await run(node24(), all, { env: environment(env) });
  try {
    const found = JSON.parse(readFileSync(results, 'utf8'));
    const failed = found.numFailedTests + found.numRuntimeErrorTestSuites;
    const skipped = found.numPendingTests + found.numTodoTests;
    const ok = code === 0 && found.success && failed === 0 && found.numTotalTests > 0;
    const files = found.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
      path: relative(root, name),
      seconds: Math.max(endTime - startTime, 0) / 1000,
      tests: assertionResults.length,
      assertions: assertionResults,
    }));
    const failures = found.testResults.flatMap(failuresOf);
    return { passed: found.numPassedTests, failed: ok ? 0 : Math.max(failed, 1), skipped, ok, files, failures };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, ok: false, files: [], failures: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function failuresOf({ name, status, message, assertionResults }) {
  const path = relative(root, name);
  // Those that are played together name their files themselves.
  const of = path.startsWith(GROUPS) ? '' : `${path}: `;
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0 && status === 'failed') return [{ test: path, message }];
  return failed.map(({ fullName, failureMessages }) => ({
    test: `${of}${fullName}`,
    message: failureMessages.join('\n'),
  }));
}

/** The paths of the test files that these arguments mean. */
export async function listTests(args) {
  const folder = mkdtempSync(join(tmpdir(), 'tender-test-'));
  const list = join(folder, 'list.json');
  try {
    const all = [program, '--listTests', '--json', `--outputFile=${list}`, ...args];
    const code = await run(node24(), all, { env: environment() });
    if (code !== 0) return [];
    return JSON.parse(readFileSync(list, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
