import type { LinkToShow, PaymentToShow, StrayMoney } from '@tender/contracts';
import { inOneDirection } from './one-direction';
import type { Language } from '@tender/page';
import type { PageData } from './page-data';

/** The screens of the checkout, as `data-state` of the page's `main` names them. */
export type StateName =
  | ('shell' | 'email' | 'info' | 'continue' | 'choose' | 'qr' | 'signing' | 'switch account')
  | ('confirming' | 'confirmed' | 'expired' | 'late' | 'partial' | 'wrong token' | 'failed')
  | ('blocked' | 'link closed' | 'link full' | 'not found' | 'busy' | 'offline' | 'error');

/** Where the customer is while the payment is open. */
export type Step = 'shell' | 'email' | 'info' | 'continue' | 'choose' | 'qr' | 'signing' | 'switch account';

/** Why nothing goes on at the moment, and when it is tried again. */
export interface Interruption {
  readonly state: 'busy' | 'offline' | 'link full';
  /** In the time of the page. */
  readonly retry_at: number;
}

/** What went wrong; the shop finds it by this number. */
export interface Fault {
  readonly correlation_id: string | null;
}

export interface View {
  readonly page: PageData;
  readonly language: Language;
  readonly step: Step;
  /** Quiet words about the last try, until the next one. */
  readonly note: 'rejected' | 'wallet_failed' | 'copied' | 'simulated' | null;
  /** A request is on its way: buttons wait. */
  readonly waiting: boolean;
  readonly wallets: readonly { readonly name: string; readonly icon: string }[];
  /** A phone or tablet: wallets are apps that open this page. */
  readonly touch: boolean;
  /** The wallet that is asked to sign. */
  readonly wallet: string | null;
  /** The wallet that the payment is bound to, as far as the API shows it to a stranger. */
  readonly other_wallet: string | null;
  /** Of what was handed in from this browser. */
  readonly signature: string | null;
  /** The wallet has signed, and the API has not said that it has it. */
  readonly approved: boolean;
  readonly interruption: Interruption | null;
  readonly fault: Fault | null;
  readonly blocked: boolean;
  /** Of a payment that is blocked before there is one: the shop finds it by this id. */
  readonly blocked_payment_id: string | null;
  /** How many stray sums the customer has read about and gone on. */
  readonly sums_read: number;
  readonly typed: Readonly<Record<string, string>>;
  /** Of what was typed: fields that cannot be right. */
  readonly malformed: readonly string[];
  /** Milliseconds of business time. */
  readonly now: number;
  /** When the page goes back to the shop by itself; null when it does not. */
  readonly leaves_at: number | null;
  /** The simulator pays it once its time is over. */
  readonly pays_late: boolean;
}

/** Of what the server knows; the browser adds the rest. */
export const firstView = (page: PageData): View => ({
  page: { ...page, shown: page.shown && withPlainTexts(page.shown) },
  language: page.language,
  step: 'shell',
  note: null,
  waiting: false,
  wallets: [],
  touch: false,
  wallet: null,
  other_wallet: null,
  signature: null,
  approved: false,
  interruption: fullLink(page),
  fault: null,
  blocked: false,
  blocked_payment_id: null,
  sums_read: 0,
  typed: {},
  malformed: [],
  now: Date.parse(page.now),
  leaves_at: null,
  pays_late: false,
});

function withPlainTexts<Shown extends LinkToShow | PaymentToShow>(shown: Shown): Shown {
  const { merchant_name, description } = shown;
  return {
    ...shown,
    merchant_name: inOneDirection(merchant_name),
    description: description && inOneDirection(description),
  };
}

/** Open payments hold all that the link has left: the customer comes again. */
function fullLink({ shown }: PageData): Interruption | null {
  if (shown?.kind !== 'link' || shown.status !== 'held' || !shown.free_at) return null;
  return { state: 'link full', retry_at: Date.parse(shown.free_at) };
}

export const paymentOf = ({ page }: View): PaymentToShow | null =>
  page.shown?.kind === 'payment' ? page.shown : null;

/** What the page is about. */
export const idOf = ({ page: { shown } }: View): string =>
  shown?.kind === 'link' ? shown.link_code : (shown?.payment_id ?? '');

/** Which screen a view shows: what has happened to the money comes before where the customer is. */
export function stateOf(view: View): StateName {
  const { shown } = view.page;
  if (shown === null) return 'not found';
  if (shown.kind === 'link') {
    if (shown.status !== 'active' && shown.status !== 'held') return 'link closed';
    if (view.blocked) return 'blocked';
    return troubleOf(view) ?? view.step;
  }
  if (shown.status === 'confirmed') return 'confirmed';
  if (shown.status === 'failed') return 'failed';
  // What a wallet has signed is being handed in, and may be taken yet: nothing else is offered meanwhile.
  if (shown.status === 'pending' && view.approved) return troubleOf(view) ?? view.step;
  const stray = unreadMoney(view);
  const is_over = shown.status === 'expired' || view.now >= Date.parse(shown.expires_at);
  if (is_over && stray) return stateOfMoney(stray, 'late');
  // What was handed in may have landed in time.
  const is_sent = shown.status === 'pending' && handedIn(view) !== null;
  // It says that nothing was taken.
  if (view.blocked && !stray && !is_sent) return 'blocked';
  const trouble = troubleOf(view);
  if (trouble) return trouble;
  if (is_sent) return 'confirming';
  if (is_over) return 'expired';
  if (stray) return stateOfMoney(stray, 'partial');
  return view.step;
}

/**
 * The signature of what is on its way, as far as the browser or the server know of it; empty where the API has said
 * that there is one, and not which.
 */
export const handedIn = (view: View): string | null =>
  view.signature || (paymentOf(view)?.transaction_signature ?? view.signature);

const troubleOf = ({ interruption, fault }: View): StateName | null =>
  interruption?.state ?? (fault ? 'error' : null);

/** Of these the customer has to be told; what is over, or came twice, came beside a payment that is whole. */
const TOLD: ReadonlySet<string> = new Set(['late', 'short', 'wrong_mint', 'wrong_account']);

export const strayMoney = (view: View): readonly StrayMoney[] =>
  (paymentOf(view)?.stray_money ?? []).filter(({ reason }) => TOLD.has(reason));

export const unreadMoney = (view: View): StrayMoney | null =>
  strayMoney(view).slice(view.sums_read).at(-1) ?? null;

function stateOfMoney({ reason }: StrayMoney, otherwise: 'late' | 'partial'): StateName {
  if (reason === 'wrong_mint' || reason === 'wrong_account') return 'wrong token';
  return reason === 'late' ? 'late' : reason === 'short' ? 'partial' : otherwise;
}

/** The customer has nothing more to do here, and needs no network for it. */
export const hasEnded = (state: StateName): boolean =>
  ['confirmed', 'failed', 'blocked', 'link closed', 'not found'].includes(state);

/** The shop asks who pays before it takes money, and does not know. */
export const asksForDetails = ({ page: { shown } }: View): boolean =>
  shown !== null && shown.collect_customer_info && shown.customer === null;

/** Its link may be paid once more; one that others hold takes a customer who has not paid yet, perhaps soon. */
export function takesAnother(view: View): boolean {
  const payment = paymentOf(view);
  const status = payment?.link_status;
  return status === 'active' || (status === 'held' && payment?.status !== 'confirmed');
}

/** The payment still takes money, also of this customer. */
export const isOpen = (view: View): boolean => !view.blocked && (timeLeft(view) ?? 0) > 0;

/** Milliseconds until a payment that is pending expires. */
export function timeLeft(view: View): number | null {
  const payment = paymentOf(view);
  return payment?.status === 'pending' ? Date.parse(payment.expires_at) - view.now : null;
}

/** The first step of a customer who has come with this page. */
export function firstStep({ page: { shown }, typed }: View): Step {
  if (shown === null) return 'shell';
  if (shown.customer) return shown.kind === 'link' ? 'continue' : 'choose';
  if (typed.email !== undefined && !shown.collect_customer_info) return 'choose';
  return 'email';
}
