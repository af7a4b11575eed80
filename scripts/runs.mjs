// The runs of the program that every scenario is played on, and the tests that belong to some of them only.
import { jest } from './jest.mjs';
import { say } from './terminal.mjs';

export const RUNS = ['embedded', 'postgres', 'eventstore'];

const ONLY = { embedded: '/scenarios/src/embedded/', distributed: '/scenarios/src/distributed/' };
const IGNORED = ['/node_modules/', '/dist/'];

// A distributed program is a dozen processes: one at a time, and with patience.
const PACE = { embedded: ['--maxWorkers=2'], distributed: ['--maxWorkers=1', '--testTimeout=180000'] };

/** Jest's arguments and environment for one run. */
function jestFor(run) {
  const [kind, other] = run === 'embedded' ? ['embedded', 'distributed'] : ['distributed', 'embedded'];
  return {
    args: [...PACE[kind], '--testPathIgnorePatterns', ...IGNORED, ONLY[other]],
    env: { TENDER_RUN: run },
  };
}

/**
 * Jest on one run after the other, with the arguments that `argsOf` has for it: `<n> passed, <n> failed` in
 * all, and whether that is well. A test that is left out proves nothing, and counts as failed unless
 * `is_filtered`: leaving out is what a filter is for.
 */
export async function testRuns(runs, argsOf, is_filtered) {
  let [passed, failed, skipped, ok] = [0, 0, 0, true];
  for (const run of runs) {
    const { args, env } = jestFor(run);
    // Ours last: what follows --testPathIgnorePatterns belongs to it.
    const found = await jest([...argsOf(run), ...args], env);
    passed += found.passed;
    failed += found.failed;
    skipped += found.skipped;
    ok &&= found.ok;
  }
  const forgotten = is_filtered ? 0 : skipped;
  if (forgotten > 0) say(`${forgotten} tests are marked to be left out: each counts as failed`);
  return { summary: `${passed} passed, ${failed + forgotten} failed`, ok: ok && forgotten === 0 };
}
