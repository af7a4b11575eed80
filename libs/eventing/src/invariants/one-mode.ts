import { modeOf, type StreamMode } from '../events/event';
import { ownInvariant, type CheckedKind, type CheckedObject, type InvariantCheck } from './invariant-check';

/**
 * M17: all that happened to an object is of the mode of its stream, and so is its id where ids say theirs.
 * `says`: the mode that an id tells, null where it tells none.
 */
export const ofOneMode = (
  of: CheckedKind,
  says: (id: string) => StreamMode | null = () => null,
): InvariantCheck =>
  ownInvariant({
    id: 'M17',
    says: 'Nothing of test mode is in live mode, and nothing of live mode in test mode.',
    of,
    fault: (object) => faultOfMode(object, says(object.id)),
  });

interface WithTerms {
  readonly terms?: { readonly mode?: unknown };
}

function faultOfMode({ stream, history }: CheckedObject, said: StreamMode | null): string | null {
  const mode = modeOf(stream);
  if (said !== null && said !== mode) return `its id is of ${said} mode, its stream of ${mode}`;
  for (const { revision, metadata, data } of history) {
    const { terms } = data as WithTerms;
    const told = terms?.mode ?? metadata.mode;
    if (metadata.mode !== mode || told !== mode) {
      return `event ${revision} is of ${String(told)} mode, its stream of ${mode}`;
    }
  }
  return null;
}
