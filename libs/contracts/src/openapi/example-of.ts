import type { JsonSchema, ObjectSchema } from './schema';

export type Definitions = Readonly<Record<string, JsonSchema>>;

/** What else than the contract's own examples a request is tried with: objects that are there. */
export interface RequestExample {
  readonly path?: Readonly<Record<string, string>>;
  /** Its fields take the place of those of the contract's example. */
  readonly body?: object;
}
/** By the id of the route. */
export type RequestExamples = Readonly<Record<string, RequestExample>>;

const TEXTS: readonly (readonly [field: RegExp, example: string])[] = [
  [/_at$|time$|^timestamp$|^now$|watermark/, '2026-01-31T12:00:00.000Z'],
  [/email/, 'customer@example.com'],
  [/webhook_url/, 'https://shop.example.com/webhooks'],
  [/_url$/, 'https://pay.example.com/p/pay_test_0abcdefghijklmnopqrstu'],
  [/signature$/, '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'],
  [/wallet|address|mint|account|reference/, '7Yh3xk1nQwS5mBDpT2vR9cZ4fGJ6uKaLwE8dNqPsXyMo'],
  [/^(payment_)?id$/, 'pay_test_0abcdefghijklmnopqrstu'],
];

/**
 * One value that fits a schema, the same on every run: what a change of the contract changes shows as a diff
 * that people read.
 */
export const exampleOf = (schema: JsonSchema, definitions: Definitions): unknown =>
  valueOf(schema, definitions, '', () => true);

/** A body that passes as it stands: what must be there, and what may be there and says by itself what for example. */
export const requestExampleOf = (schema: JsonSchema, definitions: Definitions): unknown =>
  valueOf(schema, definitions, '', (field, required) => required || field.examples !== undefined);

type IsShown = (field: JsonSchema, required: boolean) => boolean;

function valueOf(
  schema: JsonSchema,
  definitions: Definitions,
  field: string,
  isShown: IsShown,
): unknown {
  const { $ref, anyOf, enum: values, const: fixed, examples, items } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    const referred = definitions[name];
    if (!referred) throw new Error(`The schema refers to ${name}, which is nowhere.`);
    return valueOf(referred, definitions, field, isShown);
  }
  if (fixed !== undefined) return fixed;
  if (Array.isArray(examples)) return examples[0] as unknown;
  if (Array.isArray(values)) return values[0] as unknown;
  if (Array.isArray(anyOf)) return valueOf(anyOf[0] as JsonSchema, definitions, field, isShown);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectOf(schema, definitions, isShown);
    case 'array':
      return items && Object.keys(items).length > 0
        ? [valueOf(items as JsonSchema, definitions, field, isShown)]
        : [];
    case 'integer':
      return 1;
    case 'number':
      return 10.5;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return textOf(schema, field);
  }
}

function objectOf(schema: JsonSchema, definitions: Definitions, isShown: IsShown): object {
  const { properties = {}, required = [] } = schema as Partial<ObjectSchema>;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name, one]) => isShown(one, required.includes(name)))
      .map(([name, one]) => [name, valueOf(one, definitions, name, isShown)]),
  );
}

function textOf({ pattern }: JsonSchema, field: string): string {
  if (typeof pattern === 'string' && pattern.includes('\\d')) return '10500000';
  return TEXTS.find(([name]) => name.test(field))?.[1] ?? field;
}
