import { idOf, modeOf, type DomainEvent, type StreamName } from '../events/event';
import { checkObjects } from '../invariants/check-objects';
import type { CheckedObject, CheckPorts, InvariantCheck } from '../invariants/invariant-check';
import { sampleEvent } from './sample-events';

/** An object to which these things have happened, in this order. */
export const checkedObject = (
  stream: StreamName,
  events: readonly DomainEvent[],
): CheckedObject => ({
  ...{ stream, id: idOf(stream) },
  history: events.map(({ type, data }, revision) => ({
    ...sampleEvent(stream, data, { type }),
    ...{ stream, revision, position: String(revision + 1) },
  })),
});

export interface CheckedWorld {
  /** Everything that is in the log. */
  readonly objects: readonly CheckedObject[];
  /** What the tables answer, whatever they are asked. */
  readonly rows?: readonly object[];
  readonly chains?: CheckPorts['chains'];
}

/**
 * What these checks find of the first object alone, or of those named: `['M10: 3 uses are taken of 2']`. A check that
 * fails fails the test.
 */
export async function findingsOf(
  checks: readonly InvariantCheck[],
  { objects, rows = [], chains = null }: CheckedWorld,
  looked_at: readonly CheckedObject[] = objects.slice(0, 1),
): Promise<readonly string[]> {
  const ports: CheckPorts = {
    eventStore: {
      load: async (stream) => objects.find((one) => one.stream === stream)?.history ?? [],
    },
    readModels: { query: async <Row>() => rows as Row[] },
    chains,
  };
  const of = checks.filter((check) =>
    looked_at.some(({ stream }) => check.of.stream(modeOf(stream), idOf(stream)) === stream),
  );
  if (of.length === 0) throw new Error(`no check looks at ${looked_at[0]?.stream}`);
  const looked = await checkObjects(ports, of, looked_at.map(({ stream }) => stream));
  return looked.flatMap((one) => {
    if ('error' in one) throw one.error;
    return one.findings.map(({ says }) => `${one.check.id}: ${says}`);
  });
}
