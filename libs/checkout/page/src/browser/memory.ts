/** Private windows may refuse to keep anything; then the page forgets, and nothing breaks. */
const memoryIn = (storeOf: () => Storage) => ({
  read(key: string): string | null {
    try {
      return storeOf().getItem(`tender:${key}`);
    } catch {
      return null;
    }
  },
  write(key: string, value: string): void {
    try {
      storeOf().setItem(`tender:${key}`, value);
    } catch {
      // It is kept by the server, too.
    }
  },
  forget(key: string): void {
    try {
      storeOf().removeItem(`tender:${key}`);
    } catch {
      // Nothing was kept.
    }
  },
});

/** What this browser keeps for all its tabs: which payment it began at a link, and what it handed in. */
export const memory = memoryIn(() => localStorage);
/** What one tab keeps while it is open, also when its page is loaded again. */
export const memoryOfTab = memoryIn(() => sessionStorage);

export const PAYMENT_AT = (link_code: string): string => `payment:${link_code}`;
/** The Idempotency-Key of the payment to begin: two tabs that begin at once begin one payment. */
export const KEY_AT = (link_code: string): string => `key:${link_code}`;
export const SENT_FOR = (payment_id: string): string => `sent:${payment_id}`;
export const STEP_OF = (payment_id: string): string => `step:${payment_id}`;
/** Of a tab: a payment or link that cannot be completed here, with the id by which the shop finds it. */
export const BLOCKED = (id: string): string => `blocked:${id}`;
/** Of a tab: what a wallet has signed, until the API has answered it. */
export const SIGNED_FOR = (payment_id: string): string => `signed:${payment_id}`;
/** The subscription of this browser to the plan. */
export const SUBSCRIPTION_AT = (plan_id: string): string => `subscription:${plan_id}`;
/** Of the form of the plan: two tabs that subscribe one wallet make one subscription. */
export const ATTEMPT_AT = (plan_id: string): string => `attempt:${plan_id}`;
