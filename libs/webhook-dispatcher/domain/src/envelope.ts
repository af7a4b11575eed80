type Json = Readonly<Record<string, unknown>>;

export interface EnvelopeContent {
  /** `PaymentConfirmed` */
  readonly event: string;
  /** `evt_…` */
  readonly id: string;
  /** 1, 2, 3 … for the events of one resource. */
  readonly resource_version: number;
  /** Business time, ISO 8601. */
  readonly timestamp: string;
  readonly payment?: Json | null;
  readonly settlement?: Json | null;
  readonly receipt?: Json | null;
}

export const API_VERSION = 'v1';

/** The specification's payment fields, then what an accountant needs beside them. */
const PAYMENT_FIELDS = [
  'id',
  'merchant_id',
  'amount_usd',
  'status',
  'transaction_signature',
  'customer_wallet',
  'payment_token',
  'mode',
  'description',
  'metadata',
  'splits',
  'created_at',
  'expires_at',
  'amount',
  'currency',
  'exchange_rate',
  'token_amount',
  'token_mint',
  'reference',
  'confirmed_at',
] as const;

/** Every key is always there, null where it does not apply (decisions §2.12). */
export function envelopeOf(content: EnvelopeContent): Json {
  const { event, id, resource_version, timestamp } = content;
  return {
    id,
    event,
    api_version: API_VERSION,
    resource_version,
    timestamp,
    payment: content.payment ? paymentOf(content.payment) : null,
    settlement: content.settlement ?? null,
    withdrawal: null,
    refund: null,
    dispute: null,
    fraud: null,
    sub_account: null,
    subscription: null,
    event_type: null,
    installment_plan: null,
    invoice: null,
    payment_intent: null,
    receipt: content.receipt ?? null,
    metadata: null,
    data: null,
  };
}

const paymentOf = (payment: Json): Json =>
  Object.fromEntries(PAYMENT_FIELDS.map((field) => [field, payment[field] ?? null]));
