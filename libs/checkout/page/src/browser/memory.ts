/**
 * What this browser keeps between visits, for all its tabs: which payment it began at a link, and what it handed in.
 * Private windows may refuse to keep anything; then the page forgets, and nothing breaks.
 */
export const memory = {
  read(key: string): string | null {
    try {
      return localStorage.getItem(`tender:${key}`);
    } catch {
      return null;
    }
  },
  write(key: string, value: string): void {
    try {
      localStorage.setItem(`tender:${key}`, value);
    } catch {
      // It is kept by the server, too.
    }
  },
  forget(key: string): void {
    try {
      localStorage.removeItem(`tender:${key}`);
    } catch {
      // Nothing was kept.
    }
  },
};

export const PAYMENT_AT = (link_code: string): string => `payment:${link_code}`;
/** The Idempotency-Key of the payment to begin: two tabs that begin at once begin one payment. */
export const KEY_AT = (link_code: string): string => `key:${link_code}`;
export const SENT_FOR = (payment_id: string): string => `sent:${payment_id}`;
export const STEP_OF = (payment_id: string): string => `step:${payment_id}`;
