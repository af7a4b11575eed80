import { onLocalhost } from '@tender/kernel';

/**
 * For whom a passkey is made: a browser offers it on pages of that domain only, and says in each answer from which
 * origin it was asked.
 */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** Of the pages at that URL. */
export function relyingPartyOf(url: string): RelyingParty {
  const { hostname, origin } = onLocalhost(url);
  return { id: hostname, origin };
}
