import { createHash } from 'node:crypto';
import type { KeyRing, StreamMode } from '@tender/eventing';
import { idCharacters } from '@tender/kernel';

/** The same for the same public event, however often it comes. */
export const eventIdOf = (keyRing: KeyRing, public_event_id: string): string =>
  `evt_${idCharacters(keyRing.idBytes(`webhook-event|${public_event_id}`))}`;

/** One delivery per event and URL. */
export const deliveryIdOf = (keyRing: KeyRing, event_id: string, url: string): string =>
  `wh_${idCharacters(keyRing.idBytes(`webhook-delivery|${event_id}|${url}`))}`;

/** The unit of fairness: one merchant's URL in one mode. */
export const endpointIdOf = (mode: StreamMode, merchant_id: string, url: string): string =>
  createHash('sha256').update(JSON.stringify([mode, merchant_id, url])).digest('base64url').slice(0, 27);
