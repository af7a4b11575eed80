import { paymentOf } from '../view';
import { Refusal } from '@tender/page/browser';
import { memoryOfTab, SIGNED_FOR } from './memory';
import type { Visit } from './visit';

/** What a wallet has signed. */
export interface Signed {
  readonly signed_transaction: string;
  readonly customer_wallet: string;
  readonly is_gasless: boolean;
}

/** Kept by the tab until it is answered: a page that is loaded again meanwhile hands the same in. */
export async function handIn(
  visit: Visit,
  payment_id: string,
  signed: Signed,
  signAgain: () => void,
): Promise<void> {
  const { store, attempts } = visit;
  memoryOfTab.write(SIGNED_FOR(payment_id), JSON.stringify(signed));
  store.set({ approved: true });
  await attempts.run(() => submit(visit, payment_id, signed, signAgain));
}

/** Goes on with what was signed before the page was loaded again. */
export async function handInKept(visit: Visit): Promise<void> {
  const { store } = visit;
  const payment = paymentOf(store.view);
  const kept = payment && memoryOfTab.read(SIGNED_FOR(payment.payment_id));
  if (!kept) return;
  const { payment_id, status } = payment;
  if (status !== 'pending') return memoryOfTab.forget(SIGNED_FOR(payment_id));
  visit.go('signing');
  await handIn(visit, payment_id, JSON.parse(kept) as Signed, () => visit.go('choose'));
}

async function submit(
  visit: Visit,
  payment_id: string,
  { is_gasless, ...signature }: Signed,
  signAgain: () => void,
): Promise<void> {
  const { api, store } = visit;
  const { signed_transaction } = signature;
  const path = `/api/v1/payments/${payment_id}/${is_gasless ? 'submit-gasless-transaction' : 'submit-transaction'}`;
  try {
    const body = is_gasless ? { signed_transaction } : signature;
    const { transaction_signature } = await api.post<{ transaction_signature: string }>(path, body);
    memoryOfTab.forget(SIGNED_FOR(payment_id));
    visit.sent(payment_id, transaction_signature);
  } catch (error) {
    const { status, code } = error instanceof Refusal ? error : { status: 0, code: '' };
    const is_unsponsored = code === 'gasless_unavailable';
    // A refusal is an answer: it was not taken. Of other failures nothing is known, and one too many comes again.
    const is_answer = is_unsponsored || (status > 0 && status < 500 && status !== 429);
    if (is_answer) {
      memoryOfTab.forget(SIGNED_FOR(payment_id));
      store.set({ approved: false });
    }
    if (!is_unsponsored) throw error;
    setTimeout(signAgain);
  }
}
