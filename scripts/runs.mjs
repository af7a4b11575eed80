// The runs of the program that every scenario is played on, and the tests that belong to some of them only.
export const RUNS = ['embedded', 'postgres', 'eventstore'];

const ONLY = { embedded: '/scenarios/src/embedded/', distributed: '/scenarios/src/distributed/' };
const IGNORED = ['/node_modules/', '/dist/'];

/** Jest's arguments and environment for one run. */
export function jestFor(run) {
  const others = run === 'embedded' ? ONLY.distributed : ONLY.embedded;
  return {
    args: ['--maxWorkers=2', '--testPathIgnorePatterns', ...IGNORED, others],
    env: { TENDER_RUN: run },
  };
}
