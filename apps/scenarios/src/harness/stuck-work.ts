import type { Program } from './program';

/** What a service says before it ends itself. */
const STUCK = 'the work of this replica did not stop when it lost the lease';

/** How much a program has told by now. */
export const placeIn = ({ news, output }: Program) => ({
  news: news.length,
  output: output.length,
});

/** Processes that have ended since then, but for those that said that their work did not stop in time. */
export function endedOtherwise(
  program: Program,
  since: ReturnType<typeof placeIn>,
): readonly object[] {
  const output = program.output.slice(since.output);
  const excused = new Map<string, number>();
  return program.news.slice(since.news).filter(({ type, name, how }) => {
    if (type !== 'ended') return false;
    // `payments 2` is the second replica of payments.
    const [service = ''] = name.split(' ', 1);
    const said = output.split(`"service":"${service}","msg":"${STUCK}`).length - 1;
    const before = excused.get(service) ?? 0;
    if (how !== '1' || before >= said) return true;
    excused.set(service, before + 1);
    return false;
  });
}
