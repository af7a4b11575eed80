/**
 * For whom a passkey is made: a browser offers it on pages of that domain only, and says in each answer from which
 * origin it was asked.
 */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\])$/;

/** Of the pages at that URL. No browser makes a passkey for an IP address: those of one’s own machine are `localhost`. */
export function relyingPartyOf(url: string): RelyingParty {
  const { protocol, hostname, port } = new URL(url);
  const id = LOOPBACK.test(hostname) ? 'localhost' : hostname;
  return { id, origin: `${protocol}//${id}${port === '' ? '' : `:${port}`}` };
}
