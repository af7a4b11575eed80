import type { Identity, Signed } from '@tender/threshold';
import { SILENT } from '../service/ports';
import { signedAsks } from '../service/signed-asks';
import { Ceremonies, type CeremonySettings } from './ceremonies';
import { ceremonyHandlers } from './ceremony-handlers';

/**
 * Party R: it answers the messages of ceremonies and keeps nothing, as its share is in the roster by then, sealed to
 * the recovery key. What brings it messages must take them from treasury alone. Null: a message that is not for R.
 */
export function recoveryParty(
  identity: Identity,
  { recovery_key, clock }: Pick<CeremonySettings, 'recovery_key' | 'clock'>,
): (message: unknown) => Promise<Signed | null> {
  const keep = async (): Promise<void> => undefined;
  const ceremonies = new Ceremonies({ role: 'R', identity, pinned: {}, recovery_key, clock, keep });
  const handlers = ceremonyHandlers(ceremonies);
  return signedAsks({ role: 'R', identity, treasury_identity: null, handlers, log: SILENT });
}
