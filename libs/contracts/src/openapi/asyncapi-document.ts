import { MODES } from '@tender/kernel';
import { SPEAKERS, type PublicType } from '../public-events';
import { WEBHOOK_EVENTS, WEBHOOK_TEST_EVENT } from '../webhook-dispatcher';
import {
  FACT_SCHEMAS,
  receiptSchema,
  settlementSchema,
  webhookPaymentSchema,
} from './fact-schemas';
import type { JsonSchema } from './schema';

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };

/** AsyncAPI 3: the webhooks that merchants get, and the topics that contexts hear each other on. */
export function asyncApiDocument(): object {
  const contexts = [...new Set(publicTypes.map(contextOf))];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Tender events',
      version: '1.0.0',
      description: 'Signed webhooks, and the public events of each context.',
    },
    channels: {
      webhook: {
        address: null,
        title: 'The merchant’s webhook URL',
        description: 'One POST per event; repeats carry the same X-Svc-Delivery.',
        messages: refsOf(WEBHOOK_NAMES),
      },
      ...Object.fromEntries(contexts.map((context) => [`${context}.events`, topicOf(context)])),
    },
    operations: {
      sendWebhook: {
        action: 'send',
        channel: { $ref: '#/channels/webhook' },
        summary: 'Five attempts: at once, then 30 s, 2 min, 10 min and 1 h after the one before.',
      },
      ...Object.fromEntries(
        contexts.map((context) => [
          `publish-${context}`,
          { action: 'send', channel: { $ref: `#/channels/${context}.events` } },
        ]),
      ),
    },
    components: {
      messages: {
        ...Object.fromEntries(WEBHOOK_NAMES.map((name) => [name, webhookMessage(name)])),
        ...Object.fromEntries(publicTypes.map((type) => [type, topicMessage(type)])),
      },
      schemas: {
        Payment: webhookPaymentSchema,
        Settlement: settlementSchema,
        Receipt: receiptSchema,
      },
    },
  };
}

const publicTypes = Object.keys(FACT_SCHEMAS) as PublicType[];
const WEBHOOK_NAMES = [...WEBHOOK_EVENTS, WEBHOOK_TEST_EVENT];
const contextOf = (type: string): string => type.slice(0, type.indexOf('.'));
const refsOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }]));

function topicOf(context: string): object {
  const modes = SPEAKERS.find(({ name }) => name === context)?.modes ?? [];
  return {
    address: `{mode}.${context}.events`,
    description: 'Key: the stream. Order holds per key; `sequence` rises with gaps.',
    parameters: { mode: { enum: modes } },
    messages: refsOf(publicTypes.filter((type) => contextOf(type) === context)),
  };
}

function topicMessage(type: PublicType): object {
  return {
    name: type,
    contentType: 'application/json',
    payload: {
      type: 'object',
      properties: {
        type: { const: type },
        id: text,
        mode: { enum: [...MODES, 'all'] },
        key: text,
        sequence: { type: 'integer' },
        merchant_id: { type: ['string', 'null'] },
        correlation_id: text,
        causation_id: text,
        occurred_at: time,
        recorded_at: time,
        data: FACT_SCHEMAS[type],
      },
      required: ['type', 'id', 'mode', 'key', 'sequence', 'occurred_at', 'recorded_at', 'data'],
    },
  };
}

/** Objects of the envelope that an event fills; the others are null. */
const FILLED: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  PaymentCreated: { payment: ref('Payment') },
  PaymentConfirmed: { payment: ref('Payment') },
  PaymentFailed: { payment: ref('Payment') },
  PaymentExpired: { payment: ref('Payment') },
  SettlementCompleted: { payment: ref('Payment'), settlement: ref('Settlement') },
  ReceiptRecorded: { receipt: ref('Receipt') },
};

const ENVELOPE_OBJECTS = [
  'payment',
  'settlement',
  'withdrawal',
  'refund',
  'dispute',
  'fraud',
  'sub_account',
  'subscription',
  'event_type',
  'installment_plan',
  'invoice',
  'payment_intent',
  'receipt',
  'metadata',
  'data',
] as const;

function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

const WEBHOOK_HEADERS = {
  type: 'object',
  properties: {
    'X-Svc-Signature': { type: 'string', description: 't=<unix seconds>,v1=<hex HMAC-SHA256>' },
    'X-Svc-Event': text,
    'X-Svc-Delivery': { type: 'string', description: 'The same on every attempt.' },
    'X-Svc-Attempt': { type: 'string', pattern: '^\\d+$' },
    'webhook-id': text,
    'webhook-timestamp': text,
    'webhook-signature': text,
  },
};

function webhookMessage(name: string): object {
  const filled = FILLED[name] ?? {};
  const objects = Object.fromEntries(
    ENVELOPE_OBJECTS.map((field) => [field, filled[field] ?? { type: 'null' }]),
  );
  return {
    name,
    contentType: 'application/json',
    headers: WEBHOOK_HEADERS,
    payload: {
      type: 'object',
      properties: {
        id: text,
        event: { const: name },
        api_version: text,
        resource_version: { type: ['integer', 'null'] },
        ...objects,
        timestamp: time,
      },
      required: [
        'id',
        'event',
        'api_version',
        'resource_version',
        'timestamp',
        ...ENVELOPE_OBJECTS,
      ],
    },
  };
}
