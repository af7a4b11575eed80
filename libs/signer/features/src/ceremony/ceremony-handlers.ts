import type { Handlers } from '../service/signed-asks';
import type { Ceremonies } from './ceremonies';

type CeremonyKind = Extract<keyof Handlers, `ceremony.${string}`>;

/** What a party does about the messages of its ceremonies. */
export const ceremonyHandlers = (
  ceremonies: Ceremonies,
): Required<Pick<Handlers, CeremonyKind>> => ({
  'ceremony.begin': (ask) => ceremonies.begin(ask),
  'ceremony.round-2': (ask) => ceremonies.round2(ask),
  'ceremony.round-3': (ask) => ceremonies.round3(ask),
  'ceremony.finish': (ask) => ceremonies.finish(ask),
});
