import {
  allFacts,
  envelopeOf,
  exampleOf,
  isSealed,
  WEBHOOK_TEST_EVENT,
  webhookFacts,
  type Definitions,
  type Fact,
  type JsonSchema,
} from '@tender/contracts';
import { recordedFacts } from './recorded-facts';

const HEAD = {
  id: 'evt_0abcdefghijklmnopqrstu',
  resource_version: 1,
  timestamp: '2026-01-01T00:00:00.000Z',
};

/**
 * An example of each message. Its facts are recorded ones, rendered by what renders them for merchants; only what
 * the transport adds is made up.
 */
export function messageExamples(
  messages: Readonly<Record<string, { readonly payload: JsonSchema }>>,
  schemas: Definitions,
): object {
  const recorded = recordedFacts();
  return Object.fromEntries(
    Object.entries(messages).map(([name, { payload }]) => [name, example(name, payload)]),
  );

  function example(name: string, payload: JsonSchema): unknown {
    if (name === WEBHOOK_TEST_EVENT) return envelopeOf({ ...HEAD, event: name });
    const shown = webhookFacts.find(({ webhook }) => webhook.name === name);
    if (shown) {
      const { content } = shown.webhook.tell(dataOf(shown));
      return opened(envelopeOf({ ...HEAD, event: name }, content), exampleOf(payload, schemas));
    }
    const transported = exampleOf(payload, schemas);
    const told = allFacts.find(({ type }) => type === name);
    return told ? { ...(transported as object), data: dataOf(told) } : transported;
  }

  /** For a fact that no context publishes yet: the data of another one of the same class. */
  function dataOf(fact: Fact): object {
    const alike = allFacts.filter(({ data }) => data === fact.data);
    const found =
      recorded.find(({ type }) => type === fact.type) ??
      recorded.find(({ type }) => alike.some((other) => other.type === type));
    if (!found) throw new Error(`No context has recorded ${fact.type}. Add it to its recorded events.`);
    return found.data;
  }
}

/** A recorded message as merchants get it: what is sealed in it is opened, here to what the schema shows of it. */
function opened(recorded: unknown, shown: unknown): unknown {
  if (isSealed(recorded)) return shown;
  if (typeof recorded !== 'object' || recorded === null || Array.isArray(recorded)) return recorded;
  const parts = (shown ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(recorded).map(([key, part]) => [key, opened(part, parts[key])]),
  );
}
