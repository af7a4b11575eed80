import { MODES } from '@tender/kernel';
import {
  RECEIPT_REASONS,
  type CreditAllocatedFact,
  type MerchantFact,
  type MoneyReceivedFact,
  type PaymentFact,
  type PaymentSnapshot,
  type PublicType,
  type ReceiptFact,
  type ReceiptSnapshot,
  type SettlementFact,
  type WatchClosedFact,
} from '../public-events';
import type { JsonSchema } from './schema';

// Public facts are interfaces, so their schemas are written by hand. The compiler holds both together: a field
// that is added to the interface and not here does not compile.
type SchemaOf<Fact> = { readonly [Field in keyof Required<Fact>]: JsonSchema };

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const usd = { type: 'number' };
const baseUnits = { type: 'string', pattern: '^-?\\d+$', description: 'Base units of the token.' };
const orNull = ({ type, ...rest }: JsonSchema): JsonSchema => ({ type: [type, 'null'], ...rest });
const oneOf = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: [...values] });

function objectOf<Fact>(
  properties: SchemaOf<Fact>,
  ...optional: readonly (keyof Fact & string)[]
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name as never));
  return { type: 'object', properties, required };
}

const paymentFields: SchemaOf<PaymentSnapshot> = {
  id: text,
  merchant_id: text,
  amount: { type: 'number', description: 'In `currency`.' },
  amount_usd: usd,
  currency: text,
  exchange_rate: orNull({ type: 'number', description: 'USD per unit of the currency.' }),
  payment_token: text,
  token_amount: baseUnits,
  token_mint: orNull(text),
  status: oneOf(['pending', 'confirmed', 'failed', 'expired']),
  description: orNull(text),
  payment_url: text,
  qr_code: text,
  reference: text,
  wallet_address: text,
  metadata: { type: 'object', additionalProperties: true },
  mode: oneOf(MODES),
  created_at: time,
  expires_at: time,
  transaction_signature: orNull(text),
  confirmed_at: orNull(time),
  customer_wallet: orNull(text),
  splits: { type: 'null' },
};
const paymentSchema = objectOf<PaymentSnapshot>(paymentFields);

const {
  payment_url: _url,
  qr_code: _code,
  wallet_address: _wallet,
  ...toldByWebhooks
} = paymentFields;
/** What a webhook tells of a payment: all but what only its payer needs. */
export const webhookPaymentSchema = objectOf<typeof toldByWebhooks>(toldByWebhooks);

export const settlementSchema = objectOf<SettlementFact['settlement']>({
  id: text,
  payment_id: text,
  merchant_id: text,
  amount_usd: usd,
  settlement_token: text,
  settlement_amount: { type: 'number', description: 'Whole tokens.' },
  transaction_signature: text,
  merchant_wallet: text,
  status: oneOf(['completed']),
});

export const receiptSchema = objectOf<ReceiptSnapshot>(
  {
    id: text,
    payment_id: orNull(text),
    reason: oneOf(RECEIPT_REASONS),
    token: orNull(text),
    token_mint: orNull(text),
    amount: baseUnits,
    transaction_signature: text,
    from_wallet: orNull(text),
    block_time: time,
    created_at: time,
    shared_wallet: { type: 'boolean', enum: [true] },
  },
  'shared_wallet',
);

const webhookUrl = orNull({ type: 'string', description: 'Takes the place of the merchant’s.' });
const payment = objectOf<PaymentFact>({ payment: paymentSchema, webhook_url: webhookUrl });
const merchant = objectOf<MerchantFact>({
  merchant_id: text,
  wallet_address: orNull(text),
  webhook_url: orNull(text),
  created_at: time,
});
const creditAllocated = objectOf<CreditAllocatedFact>({
  payment_id: text,
  merchant_id: text,
  token: text,
  token_mint: orNull(text),
  amount: baseUnits,
  transaction_signature: text,
  from_wallet: orNull(text),
  block_time: time,
});
const moneyReceived = objectOf<MoneyReceivedFact>({
  merchant_id: text,
  payment_id: orNull(text),
  reason: oneOf(RECEIPT_REASONS),
  token: orNull(text),
  token_mint: orNull(text),
  account: text,
  amount: baseUnits,
  transaction_signature: text,
  from_wallet: orNull(text),
  block_time: time,
  shared_wallet: { type: 'boolean' },
});

/** The data of every public event; a type without a schema does not compile. */
export const FACT_SCHEMAS: Readonly<Record<PublicType, JsonSchema>> = {
  'accounts.merchant-registered.v1': merchant,
  'accounts.wallet-created.v1': merchant,
  'payments.payment-created.v1': payment,
  'payments.payment-confirmed.v1': payment,
  'payments.payment-failed.v1': payment,
  'payments.payment-expired.v1': payment,
  'payments.settlement-completed.v1': objectOf<SettlementFact>({
    payment: paymentSchema,
    webhook_url: webhookUrl,
    settlement: settlementSchema,
  }),
  'payments.receipt-recorded.v1': objectOf<ReceiptFact>({
    receipt: receiptSchema,
    merchant_id: text,
    webhook_url: webhookUrl,
  }),
  'chain-indexer.credit-allocated.v1': creditAllocated,
  'chain-indexer.watch-closed.v1': objectOf<WatchClosedFact>({
    payment_id: text,
    merchant_id: text,
    watermark: time,
  }),
  'chain-indexer.money-received.v1': moneyReceived,
};
