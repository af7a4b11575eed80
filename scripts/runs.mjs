// The runs of the program that every scenario is played on, and the tests that belong to some of them only.
export const RUNS = ['embedded', 'postgres', 'eventstore'];

const ONLY = { embedded: '/scenarios/src/embedded/', distributed: '/scenarios/src/distributed/' };
const IGNORED = ['/node_modules/', '/dist/'];

// A distributed program is a dozen processes: one at a time, and with patience.
const PACE = { embedded: ['--maxWorkers=2'], distributed: ['--maxWorkers=1', '--testTimeout=180000'] };

/** Jest's arguments and environment for one run. */
export function jestFor(run) {
  const [kind, other] = run === 'embedded' ? ['embedded', 'distributed'] : ['distributed', 'embedded'];
  return {
    args: [...PACE[kind], '--testPathIgnorePatterns', ...IGNORED, ONLY[other]],
    env: { TENDER_RUN: run },
  };
}
