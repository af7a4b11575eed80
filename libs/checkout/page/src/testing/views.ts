import type { LinkToShow, PaymentToShow, StrayMoney } from '@tender/contracts';
import { LANGUAGES, type Language } from '@tender/page';
import { drawQr } from '../render-page';
import type { TroubleProps } from '../screens/trouble';
import { firstView, type StateName, type View } from '../view';

const NOW = '2026-03-02T10:00:00.000Z';
const EXPIRES = '2026-03-02T10:14:05.000Z';
const LATER = Date.parse('2026-03-02T10:20:00.000Z');
/** As the API names it. */
const WALLET = '9xQe…VFin';
const SIGNATURE = '5VERYxr9bNqJ2pW3tPzqkq7n1z5hA6w1dNw7w3uS2G8F4v3mFf7gKQmZ8cXb1Y6h';
const QR =
  'solana:CyHJxc1fYHig18hvYk88aefWgeu6b6bFhzsC2bkXbeGj?amount=4.5&spl-token=4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' +
  '&reference=3kJj3f3JUS38cAxuz9VMaiMMhU4DDKxMjgEknLwL7ySn&label=Corner%20Coffee&message=Two%20coffees';

const order = {
  merchant_name: 'Corner Coffee',
  support_email: 'help@corner.example',
  mode: 'test',
  solana_network: 'devnet',
  amount: 4.5,
  currency: 'USD',
  token: 'USDC',
  description: 'Two coffees and a croissant',
  return_url: 'https://corner.example/thanks',
  cancel_url: 'https://corner.example/cart',
  collect_customer_info: false,
  customer: null,
} as const;

export const PAYMENT: PaymentToShow = {
  ...order,
  kind: 'payment',
  payment_id: 'pay_test_11R0lrQrMbc1ysgvDodOvI',
  status: 'pending',
  transaction_signature: null,
  token_amount: '4500000',
  qr_code: QR,
  payment_url: 'https://pay.example/p/pay_test_11R0lrQrMbc1ysgvDodOvI',
  expires_at: EXPIRES,
  allow_gasless: true,
  link_code: 't2G07CmNoapiczVxS8gXbNH',
  link_status: 'active',
  stray_money: [],
};

const LINK: LinkToShow = {
  ...order,
  kind: 'link',
  link_code: 't2G07CmNoapiczVxS8gXbNH',
  status: 'active',
  free_at: null,
  customer: { email: 'a***@example.com', name: 'A*** L***' },
};

const stray = (reason: StrayMoney['reason'], token: string, amount: string): readonly StrayMoney[] => [
  { reason, token, amount },
];

/** A payment page with these changes. */
const at = (view: Partial<View>, payment: Partial<PaymentToShow> = {}): View => ({
  ...firstView({
    shown: { ...PAYMENT, ...payment }, now: NOW, language: 'en', simulator: false, qr: drawQr(QR),
  }),
  ...view,
});

const withLink = (view: Partial<View>, link: Partial<LinkToShow> = {}): View => ({
  ...firstView({ shown: { ...LINK, ...link }, now: NOW, language: 'en', simulator: false, qr: null }),
  ...view,
});

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Ccircle cx='12' cy='12' r='12' fill='%237c5cff'/%3E%3C/svg%3E";
const WALLETS = [{ name: 'Phantom', icon: ICON }, { name: 'Solflare', icon: ICON }];
const simulated = (view: View): View => ({ ...view, page: { ...view.page, simulator: true } });
const soon = Date.parse(NOW) + 8_000;

/** Every screen that there is, as a customer may see it. */
export const VIEWS: Readonly<Record<StateName, View>> = {
  shell: at({}),
  email: at({ step: 'email', typed: { email: 'ada@example' }, malformed: ['email'] }),
  info: at({ step: 'info', typed: { name: 'Ada Lovelace' } }, { collect_customer_info: true }),
  continue: withLink({ step: 'continue' }),
  choose: at({ step: 'choose', wallets: WALLETS, note: 'rejected' }),
  qr: simulated(at({ step: 'qr' })),
  signing: at({ step: 'signing', wallet: 'Phantom' }),
  'switch account': at({ step: 'switch account', other_wallet: WALLET }),
  confirming: at({ signature: SIGNATURE }),
  confirmed: at({ leaves_at: soon - 3_000 }, { status: 'confirmed', transaction_signature: SIGNATURE }),
  expired: at({ now: LATER }, { status: 'expired' }),
  late: at({ now: LATER }, { status: 'expired', stray_money: stray('late', 'USDC', '4500000') }),
  partial: at({}, { stray_money: stray('short', 'USDC', '2000000') }),
  'wrong token': at({}, { stray_money: stray('wrong_mint', 'USDT', '4500000') }),
  failed: at({}, { status: 'failed', transaction_signature: SIGNATURE }),
  blocked: at({ blocked: true }),
  'link closed': withLink({}, { status: 'exhausted', customer: null }),
  'link full': withLink({}, { status: 'held', free_at: EXPIRES, customer: null }),
  'not found': firstView({ shown: null, now: NOW, language: 'en', simulator: false, qr: null }),
  busy: at({ interruption: { state: 'busy', retry_at: soon } }),
  offline: at({ interruption: { state: 'offline', retry_at: soon } }),
  error: at({ fault: { correlation_id: '0b7f3c1e-8a44-4a63-9f0e-1f6d9a1f8c11' } }),
};

/** Other sights of the same screens: on a phone, without a wallet. */
export const MORE_VIEWS: Readonly<Record<string, View>> = {
  'email empty': at({ step: 'email' }),
  'choose on a phone': at({ step: 'choose', touch: true }),
  'choose without a wallet': at({ step: 'choose' }),
  'signing, approved': at({ step: 'signing', wallet: 'Phantom', approved: true }),
  'expired, link used up': at({ now: LATER }, { status: 'expired', link_status: 'exhausted' }),
  'offline after approval': at({ step: 'signing', approved: true, interruption: { state: 'offline', retry_at: soon } }),
  'continue, simulated': simulated(withLink({ step: 'continue' })),
  'code, to be paid late': simulated(at({ step: 'qr', pays_late: true })),
  'error of a link': withLink({ fault: { correlation_id: null } }),
  'offline after sending': at({ signature: SIGNATURE, interruption: { state: 'offline', retry_at: soon } }),
};

/** The same where no script runs. */
export const PLAIN_VIEWS: Readonly<Record<string, View>> = {
  'link without scripts': withLink({}, { customer: null }),
  'link of a customer without scripts': withLink({}),
  'link without scripts, busy': withLink({ interruption: { state: 'busy', retry_at: soon } }),
  'details without scripts': at({ typed: { email: 'ada@example' }, malformed: ['email', 'billing_postal_code'] }, { collect_customer_info: true }),
  'code without scripts': at({}),
  'partial without scripts': at({}, { stray_money: stray('short', 'USDC', '2000000') }),
  'expired without scripts': at({ now: LATER }, { status: 'expired' }),
};

const trouble = { retry_after: null, correlation_id: '0b7f3c1e-8a44-4a63-9f0e-1f6d9a1f8c11' };

/** What browsers get where there is no page. */
export const TROUBLES: Readonly<Record<string, TroubleProps>> = {
  'no answer': { ...trouble, status: 503, retry_after: 2 },
  'asked too often': { ...trouble, status: 429, retry_after: 1_700 },
  'no such page': { ...trouble, status: 404 },
  'not taken': { ...trouble, status: 413 },
};

export const inLanguage = (view: View, language: Language): View => ({ ...view, language });
export { LANGUAGES };
