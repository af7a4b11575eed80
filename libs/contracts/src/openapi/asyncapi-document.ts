import { MODES } from '@tender/kernel';
import { allFacts } from '../catalogue';
import { CONTEXTS, type ContextName } from '../contexts';
import type { ClassOf, Fact } from '../fact';
import { WEBHOOK_EVENTS, webhookFacts } from '../facts';
import { ENVELOPE_OBJECTS, OWN_DATA, WEBHOOK_TEST_EVENT } from '../webhook-envelope';
import { wholeSchemaOf, type JsonSchema } from './schema';

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
        description:
          'One POST per event; repeats carry the same X-Svc-Delivery. Any 2xx within 15 s is delivered; the rest is retried.',
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
        ...Object.fromEntries(allFacts.map((fact) => [fact.type, topicMessage(fact)])),
        [RELAY_PROGRESS]: progressMessage,
      },
      schemas: {
        WebhookHeaders: WEBHOOK_HEADERS,
        ...Object.fromEntries(
          [...shownObjects()].map(([component, type]) => [component, wholeSchemaOf(type)]),
        ),
      },
    },
  };
}

const publicTypes = allFacts.map(({ type }) => type);
const WEBHOOK_NAMES = [...WEBHOOK_EVENTS, WEBHOOK_TEST_EVENT];
const contextOf = (type: string) => type.slice(0, type.indexOf('.')) as ContextName;
const refsOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }]));

function topicOf(context: ContextName): object {
  const { modes } = CONTEXTS[context];
  return {
    address: `{mode}.${context}.events`,
    description:
      'CloudEvents 1.0, structured. Key: the stream. Order holds per key; `sequence` rises with gaps. ' +
      'Records may be repeated: those whose `logposition` is not past the last one of their partition ' +
      'are. `tender.relay-progress.v1` goes to every partition, once a minute and whenever a service waits for it.',
    parameters: { mode: { enum: modes } },
    messages: refsOf([
      ...publicTypes.filter((type) => contextOf(type) === context),
      RELAY_PROGRESS,
    ]),
  };
}

/** A record as the relay writes it (adapters/kafka `cloud-event.ts`). */
function topicMessage({ type, data }: Fact): object {
  return cloudEventMessage(
    type,
    {
      source: { const: `/tender/${contextOf(type)}` },
      time: { ...time, description: 'Business time of the fact.' },
      recordedtime: { ...time, description: 'Wall time at which the log kept it.' },
      partitionkey: { ...text, description: 'The stream; also the key of the record.' },
      sequence: { ...text, pattern: DIGITS, description: 'Revision of the stream.' },
      correlationid: text,
      causationid: text,
      mode: { enum: [...MODES, 'all'] },
      merchantid: { ...text, description: 'Missing where no merchant is concerned.' },
      partitions: {
        type: 'integer',
        description: 'How many the key’s partition was chosen among (murmur2).',
      },
      data: wholeSchemaOf(data),
    },
    ['merchantid'],
  );
}

const RELAY_PROGRESS = 'tender.relay-progress.v1';
const DIGITS = '^\\d+$';

const progressMessage = cloudEventMessage(RELAY_PROGRESS, {
  data: {
    type: 'object',
    description:
      'No event of this topic that was recorded before `wall_ms` (Unix time) is still to come.',
    properties: {
      wall_ms: { type: 'integer' },
      newest: {
        type: ['object', 'null'],
        description:
          'An event of the log; none of this topic is later. By it the relay sees that a log was restored.',
        properties: {
          stream: text,
          id: { ...text, description: 'Of the event in the log: `causationid` of the public one.' },
          position: { ...text, description: 'Its `logposition`.' },
        },
        required: ['stream', 'id', 'position'],
      },
    },
    required: ['wall_ms'],
  },
});

function cloudEventMessage(
  type: string,
  attributes: Readonly<Record<string, object>>,
  optional: readonly string[] = [],
): object {
  const properties = {
    specversion: { const: '1.0' },
    id: text,
    type: { const: type },
    source: { ...text, pattern: '^/tender/', examples: ['/tender/payments'] },
    datacontenttype: { const: 'application/json' },
    logposition: { ...text, description: 'Where it stands in the log.' },
    ...attributes,
  };
  return {
    name: type,
    contentType: 'application/cloudevents+json',
    payload: {
      type: 'object',
      properties,
      required: Object.keys(properties).filter((name) => !optional.includes(name)),
    },
  };
}

/** The envelope's objects that some event fills, by their name in the document, and as what. */
const shownObjects = (): ReadonlyMap<string, ClassOf> =>
  new Map(
    webhookFacts.flatMap(({ webhook }) =>
      Object.entries(webhook.fills).map(([key, type]) => [componentOf(key, webhook.name), type]),
    ),
  );

/** `sub_account` → `SubAccount`; `data`, which each event has in a form of its own, `PaymentLinkUsedData` */
const componentOf = (key: string, name: string): string =>
  (key === OWN_DATA ? name : '') + key.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** docs/verify-webhooks.md says the same with samples of code. */
const WEBHOOK_HEADERS = {
  type: 'object',
  properties: {
    'X-Svc-Signature': {
      type: 'string',
      pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$',
      description:
        't=<unix seconds>,v1=<hex HMAC-SHA256>. Signed is `<t>.<body>` with the bytes of the body as they come, under the ' +
        'UTF-8 bytes of the whole secret, `whsec_` included. While a secret is replaced, 24 hours, there is a v1 of the new ' +
        'one and a v1 of the old one: one that matches is enough. Compare in constant time; refuse a t that is more than ' +
        '300 s old or more than 60 s in the future. Each attempt is signed anew.',
    },
    'X-Svc-Event': { type: 'string', description: 'The `event` of the body.' },
    'X-Svc-Delivery': {
      type: 'string',
      description: 'The same on every attempt. The `id` of the body is the same for one event wherever it is sent.',
    },
    'X-Svc-Attempt': { type: 'string', pattern: '^\\d+$' },
    'webhook-id': { type: 'string', description: 'As X-Svc-Delivery.' },
    'webhook-timestamp': {
      type: 'string',
      pattern: '^\\d+$',
      description: 'The t of X-Svc-Signature.',
    },
    'webhook-signature': {
      type: 'string',
      pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$',
      description:
        'Standard Webhooks: v1,<base64 HMAC-SHA256>, one for each secret. Signed is ' +
        '`<webhook-id>.<webhook-timestamp>.<body>`, under the bytes that the part after `whsec_` is the base64 of.',
    },
  },
  required: [
    'X-Svc-Signature',
    'X-Svc-Event',
    'X-Svc-Delivery',
    'X-Svc-Attempt',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ],
};

function webhookMessage(name: string): object {
  const fact = webhookFacts.find(({ webhook }) => webhook.name === name);
  const fills: object = fact?.webhook.fills ?? {};
  const schemaIn = (key: string): JsonSchema => {
    if (key === 'event_type' && Object.hasOwn(fills, 'subscription')) return { const: name };
    if (!Object.hasOwn(fills, key)) return { type: 'null' };
    const shown = { $ref: `#/components/schemas/${componentOf(key, name)}` };
    return fact?.webhook.sometimes.includes(key) ? { anyOf: [shown, { type: 'null' }] } : shown;
  };
  const objects = Object.fromEntries(ENVELOPE_OBJECTS.map((key) => [key, schemaIn(key)]));
  return {
    name,
    contentType: 'application/json',
    headers: { $ref: '#/components/schemas/WebhookHeaders' },
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
