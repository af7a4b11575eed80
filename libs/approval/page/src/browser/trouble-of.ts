import { NoAnswer, Refusal } from '@tender/page/browser';
import type { LinkTrouble, Note } from '../view';
import { Unopened } from './key-tools';
import { PasskeyRefused } from './passkeys';

const OF_LINKS: Readonly<Record<string, LinkTrouble>> = {
  passkey_setup_used: 'used',
  passkey_setup_expired: 'expired',
  passkey_setup_by_key: 'by key',
  unauthorized: 'unknown',
};

/** The link leads nowhere any more; null: the fault is another one. */
export function linkTroubleOf(fault: unknown): LinkTrouble | null {
  if (!(fault instanceof Refusal)) return null;
  return OF_LINKS[fault.code] ?? (fault.status === 401 ? 'unknown' : null);
}

/** In words of the page. */
export function noteOf(fault: unknown): Note {
  if (fault instanceof PasskeyRefused || fault instanceof Unopened) return fault.reason;
  if (fault instanceof NoAnswer) return 'offline';
  if (!(fault instanceof Refusal)) return 'failed';
  if (fault.code === 'share_exists') return 'sealed_already';
  if (fault.code === 'ceremony_unknown') return 'superseded';
  if (fault.status === 429) return 'busy';
  return fault.status >= 500 ? 'offline' : 'failed';
}
