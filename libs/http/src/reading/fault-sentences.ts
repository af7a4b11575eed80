import { FIELD_RULES, RULE_KEYWORD, type FieldRule, type FieldRuleName } from '@tender/contracts';
import { decimalOf, formatUnits, nearestPositive, type Decimal } from '@tender/kernel';
import type { FieldFault } from '../api-error';
import type { ErrorObject } from 'ajv';

/** As many faults as a person reads; the rest shows once these are mended. */
const FAULTS_MAX = 20;

/** What a validator found, one sentence per field, to follow the field's name (specification §1.3). */
export function sentencesOf(
  errors: readonly ErrorObject[],
  found: readonly FieldFault[],
): { readonly faults: readonly FieldFault[]; readonly only_missing: boolean } {
  const byField = new Map<string, string>();
  for (const { field, message } of found) byField.set(field, message);
  // A rule's own sentence says more than "must be a number"; `anyOf` only repeats its parts.
  const ranked = [...errors].sort((one, other) => rank(one) - rank(other));
  for (const error of ranked) {
    const field = fieldOf(error);
    if (!byField.has(field)) byField.set(field, sentenceOf(error));
  }
  const faults = [...byField].slice(0, FAULTS_MAX).map(([field, message]) => ({ field, message }));
  const only_missing =
    found.length === 0 && errors.length > 0 && errors.every(({ keyword }) => keyword === 'required');
  return { faults, only_missing };
}

const rank = ({ keyword }: ErrorObject): number =>
  keyword === RULE_KEYWORD ? 0 : keyword === 'anyOf' ? 2 : 1;

function fieldOf({ keyword, instancePath, params }: ErrorObject): string {
  const path = instancePath.slice(1).replaceAll('/', '.');
  if (keyword !== 'required') return path || 'body';
  const missing = String(params.missingProperty);
  return path ? `${path}.${missing}` : missing;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a JSON number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

const VALUE_CHARACTERS_MAX = 40;

function ruleSentence({ message, places }: FieldRule, read: unknown): string {
  const text = JSON.stringify(read);
  if (places === undefined || text.length > VALUE_CHARACTERS_MAX) return message;
  const precise = typeof read === 'number' ? tooPrecise(message, places, decimalOf(read)) : null;
  return precise ?? `${message}; ${text} was read`;
}

/**
 * Of an amount with more decimals than it may have: what was read, and the nearest with no more. That one is not said
 * to pass: it may be above a maximum. Null for any other value.
 */
export function tooPrecise(message: string, places: number, read: Decimal): string | null {
  if (read.scale <= places || read.units <= 0n) return null;
  const text = formatUnits(read.units, read.scale);
  const shown = text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text;
  return `${message}; ${shown} was read, the nearest with at most ${places} decimals is ${nearestPositive(read, places)}`;
}

function sentenceOf({ keyword, params, schema, data }: ErrorObject): string {
  switch (keyword) {
    case RULE_KEYWORD:
      return ruleSentence(FIELD_RULES[schema as FieldRuleName], data);
    case 'required':
      return 'is required';
    case 'type':
      return `must be ${[params.type as string | string[]]
        .flat()
        .map((type) => TYPE_NAMES[type] ?? type)
        .join(' or ')}`;
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`;
    case 'minimum':
      return `must be at least ${String(params.limit)}`;
    case 'maximum':
      return `must be at most ${String(params.limit)}`;
    case 'exclusiveMinimum':
      return `must be above ${String(params.limit)}`;
    case 'minLength':
      return `must have at least ${String(params.limit)} characters`;
    case 'maxLength':
      return `must have at most ${String(params.limit)} characters`;
    case 'minItems':
      return `must have at least ${String(params.limit)} entries`;
    case 'maxItems':
      return `must have at most ${String(params.limit)} entries`;
    default:
      return 'does not have the form that is asked for';
  }
}
