import { inspectPayment, newId, paymentIds, type InspectedPayment } from '@tender/contracts';
import { customerSubject } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import type { ContextStage } from '@tender/runtime/testing';

export const MERCHANT = '8d8e8f90-9192-8394-9596-979899a0a1a2';
export const PAYER = 'C1vEHzK6sTQxT8d4Qw5ZeRxqgqSuxfrZ3bPz3qUq8mJd';
export const EMAIL = 'ada@example.com';

type Changes = Partial<Omit<InspectedPayment, 'payment' | 'customer'>> & {
  readonly payment?: Partial<InspectedPayment['payment']>;
  /** Null: the payment knows none. */
  readonly email?: string | null;
};

export interface PlayedPayments {
  /** A confirmed payment of 100 USDC, but for what the test says of it. */
  add(changes?: Changes): Promise<string>;
  /** It becomes another. */
  change(id: string, changes: Partial<InspectedPayment>): void;
}

/** Payments, as far as refunds and disputes ask it. */
export function playPayments(stage: ContextStage): PlayedPayments {
  const { calls, keyRing, random } = stage.runtime;
  const known = new Map<string, InspectedPayment>();
  calls.answer(inspectPayment, async ({ payment_id }, { mode }) => {
    const found = known.get(payment_id);
    return found?.payment.mode === mode ? found : null;
  });
  return {
    async add({ payment = {}, email = EMAIL, ...changes } = {}) {
      const mode = payment.mode ?? 'test';
      const id = newId(paymentIds, mode, random.bytes(16));
      const shown = { ...PAYMENT, id, mode, transaction_signature: `signature of ${id}`, ...payment };
      const { merchant_id } = shown;
      known.set(id, {
        payment: shown,
        ...{ amount_usd_cents: '10000', webhook_url: null, hold: 'none' },
        customer: email === null ? null : await sealed(keyRing, { merchant_id, mode, email }),
        ...changes,
      });
      return id;
    },
    change: (id, changes) =>
      void known.set(id, { ...(known.get(id) as InspectedPayment), ...changes }),
  };
}

async function sealed(
  keyRing: ContextStage['runtime']['keyRing'],
  of: { readonly merchant_id: string; readonly mode: Mode; readonly email: string },
) {
  const subject_id = customerSubject(keyRing, of);
  return { subject_id, email_sealed: await keyRing.sealPersonal(subject_id, of.email) };
}

const PAYMENT: InspectedPayment['payment'] = {
  ...{ id: '', merchant_id: MERCHANT, amount: 100, amount_usd: 100, currency: 'USD' },
  ...{ exchange_rate: null, payment_token: 'USDC', token_amount: '100000000', token_mint: 'Mint' },
  ...{ status: 'confirmed', description: null, payment_url: 'http://pay.test/p/1', qr_code: 'solana:W1' },
  ...{ reference: 'R1', wallet_address: 'W1', metadata: {}, mode: 'test' },
  ...{ created_at: '2026-01-01T00:00:00.000Z', expires_at: '2026-01-01T00:15:00.000Z' },
  ...{ transaction_signature: null, confirmed_at: '2026-01-01T00:01:00.000Z' },
  ...{ customer_wallet: PAYER, splits: null, external_id: null, return_url: null },
  ...{ cancel_url: null, payment_link_id: null, link_code: null, payment_intent_id: null },
};
