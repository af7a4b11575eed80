import { createHash } from 'node:crypto';
import { deliveryIds, eventIds, formerId, newId } from '@tender/contracts';
import type { KeyRing, StreamMode } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** The id of the same event in the merchant's log where the first release planned it: ids did not say their mode. */
export const formerEventId = (event_id: string): string => formerId(eventIds, event_id);

/** One delivery per event and URL. An event that is in the merchant's log gets no second one, whatever its form. */
export const deliveryIdOf = (keyRing: KeyRing, mode: Mode, event_id: string, url: string): string =>
  newId(deliveryIds, mode, keyRing.idBytes(`webhook-delivery|${event_id}|${url}`));

/** The unit of fairness: one merchant's URL in one mode. */
export const endpointIdOf = (mode: StreamMode, merchant_id: string, url: string): string =>
  createHash('sha256').update(JSON.stringify([mode, merchant_id, url])).digest('base64url').slice(0, 27);
