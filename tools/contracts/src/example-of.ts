import type { JsonSchema } from '@tender/contracts';

export type Definitions = Readonly<Record<string, JsonSchema>>;

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
export function exampleOf(schema: JsonSchema, definitions: Definitions, field = ''): unknown {
  const { $ref, anyOf, enum: values, const: fixed, examples, items, properties } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    const referred = definitions[name];
    if (!referred) throw new Error(`The schema refers to ${name}, which is nowhere.`);
    return exampleOf(referred, definitions, field);
  }
  if (fixed !== undefined) return fixed;
  if (Array.isArray(examples)) return examples[0] as unknown;
  if (Array.isArray(values)) return values[0] as unknown;
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as JsonSchema, definitions, field);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([name, one]) => [
          name,
          exampleOf(one, definitions, name),
        ]),
      );
    case 'array':
      return items && Object.keys(items).length > 0
        ? [exampleOf(items as JsonSchema, definitions, field)]
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

function textOf({ pattern }: JsonSchema, field: string): string {
  if (typeof pattern === 'string' && pattern.includes('\\d')) return '10500000';
  return TEXTS.find(([name]) => name.test(field))?.[1] ?? field;
}
