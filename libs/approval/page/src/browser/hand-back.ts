import type { Proof } from '@tender/threshold/approval';

/** To the page that has opened this one: what the passkey has signed. */
const SIGNED = 'tender.passkey-signature';
/** From it: it has that. */
const TAKEN = 'tender.passkey-signature-taken';

interface Signed {
  /** Says to which request the proof belongs. */
  readonly challenge: string;
  readonly proof: Proof;
  /** Called once that page says that it has the proof. */
  taken(): void;
}

/**
 * Hands a proof to the page that has opened this one, where that is a page of one of these origins: browsers deliver it
 * to no other.
 */
export function handBack(openers: readonly string[], { challenge, proof, taken }: Signed): void {
  const opener = window.opener as Window | null;
  if (!opener) return;
  addEventListener('message', ({ source, origin, data }: MessageEvent) => {
    const answer = (data ?? {}) as { readonly type?: unknown; readonly challenge?: unknown };
    const is_from_it = source === opener && openers.includes(origin);
    if (is_from_it && answer.type === TAKEN && answer.challenge === challenge) taken();
  });
  const said = { type: SIGNED, challenge, passkey_signature: proof };
  for (const origin of openers) opener.postMessage(said, origin);
}
