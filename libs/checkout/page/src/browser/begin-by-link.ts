import { Refusal } from '@tender/page/browser';
import type { Api } from './api';
import { KEY_AT, memory, PAYMENT_AT } from './memory';
import { agreedByTabs, forgetAgreed } from './tabs';

/** The payment that this browser begins by the link, or has begun there. Pressed twice or in two tabs, it is one. */
export const beginByLink = (api: Api, link_code: string): Promise<string> =>
  inOneTab(link_code, async () => {
    const begun = memory.read(PAYMENT_AT(link_code));
    // Another tab may have begun it since this page was opened.
    if (begun) return begun;
    const key = await agreedByTabs(KEY_AT(link_code), freshKey());
    const path = `/api/v1/payment-links/${link_code}/pay`;
    const asked = api.post<{ payment_id: string }>(path, undefined, key);
    const made = await asked.catch(async (error) => {
      // A refusal is answered to its key for ever: the next try is another one.
      if (error instanceof Refusal && error.status < 500 && error.code !== 'idempotency_in_flight') {
        await forgetAgreed(KEY_AT(link_code));
      }
      throw error;
    });
    memory.write(PAYMENT_AT(link_code), made.payment_id);
    return made.payment_id;
  });

/** The next payment by the link is another one. */
export async function forgetBegun(link_code: string): Promise<void> {
  memory.forget(PAYMENT_AT(link_code));
  await forgetAgreed(KEY_AT(link_code));
}

/** Tabs wait for each other, so that none is answered that its key is in use; what makes it one payment is the key. */
async function inOneTab<Made>(link_code: string, make: () => Promise<Made>): Promise<Made> {
  const { locks } = navigator as { readonly locks?: LockManager };
  return locks ? locks.request(`tender:${link_code}`, make) : make();
}

function freshKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (one) => one.toString(16).padStart(2, '0')).join('');
}
