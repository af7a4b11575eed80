import type { BodyClass } from '@tender/contracts';
import {
  definitionsOf,
  ERROR_CODES,
  FIELD_RULES,
  nestedTypesOf,
  RULE_KEYWORD,
  schemaOf,
  traitsOf,
  type FieldRule,
  type FieldRuleName,
  type FieldTraits,
} from '@tender/contracts';
import { toUnits, type Decimal } from '@tender/kernel';
import { ApiError, type FieldFault } from '../api-error';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { sentencesOf, tooPrecise } from './fault-sentences';
import type { Note } from './parse-json';

/** What the handler gets, and which fields of the request are not read. */
export interface Read {
  readonly value: object;
  readonly ignored: readonly string[];
}

interface Field {
  readonly traits: FieldTraits;
  /** Canonical spelling by lower case, where any case is read. */
  readonly spellings: ReadonlyMap<string, string> | null;
  readonly nested: Shape | null;
  readonly scalar: 'integer' | 'number' | 'boolean' | null;
}
type Shape = ReadonlyMap<string, Field>;

const USD_PLACES = 2;
const DEFINITIONS = '#/definitions/';

/** One for all readers: to make one takes ten times as long as to compile a class with it. */
const compiler = new Ajv2020({
  ...{ allErrors: true, strict: false, validateFormats: false, verbose: true },
}).addKeyword({
  keyword: RULE_KEYWORD,
  schemaType: 'string',
  errors: false,
  validate: (rule: FieldRuleName, value: unknown) => FIELD_RULES[rule].test(value),
});

/**
 * A class with class-validator decorators, compiled once, when it is first read, to a validator that costs a
 * microsecond, where Nest's ValidationPipe costs 37. What it lets through is a plain object that holds known,
 * non-null fields only.
 */
export class RequestReader {
  private compiled: ValidateFunction | null = null;
  private known: Shape | null = null;

  constructor(private readonly type: BodyClass) {}

  private get shape(): Shape {
    return (this.known ??= shapeOf(this.type));
  }

  private get validate(): ValidateFunction {
    this.compiled ??= compiler.compile({
      ...schemaOf(this.type, DEFINITIONS),
      definitions: definitionsOf(Object.values(nestedTypesOf(this.type)), DEFINITIONS),
    });
    return this.compiled;
  }

  /** A JSON object. `notes`: what the parser found that is a fault only in a field that we read. */
  readBody(body: object, notes: readonly Note[]): Read {
    const faults: FieldFault[] = notes.flatMap((note) => this.faultOfNote(note));
    const ignored: string[] = [];
    const value = pick(this.shape, body as Record<string, unknown>, '', ignored, faults);
    this.refuseFaults(value, faults);
    return { value, ignored };
  }

  /** A query: texts become the numbers and booleans that the class asks for. Unknown names are not read. */
  readQuery(query: Readonly<Record<string, string>>): object {
    const value: Record<string, unknown> = {};
    for (const [name, field] of this.shape) {
      const text = query[name];
      if (text === undefined) continue;
      value[name] = spelled(field, field.scalar ? scalarOf(field.scalar, text) : text);
    }
    this.refuseFaults(value, []);
    return value;
  }

  private faultOfNote({ field, kind, written }: Note): FieldFault[] {
    const known = this.shape.get(field);
    if (kind === 'control_character') {
      if (known?.traits.raw_text) return [];
      return [{ field: field || 'body', message: 'must not hold control characters' }];
    }
    // A number in free data is the merchant's own; one that we read must not change on the way.
    if (!known || known.traits.rule === 'metadata') return [];
    if (known.traits.rule === 'usd-amount' && isBeyondAnyMaximum(written)) return [];
    const rule: FieldRule | null = known.traits.rule ? FIELD_RULES[known.traits.rule] : null;
    const precise =
      rule?.places !== undefined && written ? tooPrecise(rule.message, rule.places, written) : null;
    return [{ field, message: precise ?? 'has more digits than a number can hold exactly' }];
  }

  private refuseFaults(value: object, found: readonly FieldFault[]): void {
    const { validate } = this;
    if (validate(value) && found.length === 0) return;
    const { faults, only_missing } = sentencesOf(validate.errors ?? [], found);
    const code = only_missing ? 'missing_required_field' : 'invalid_parameter';
    const message = faults.map((fault) => `${fault.field} ${fault.message}`).join('; ');
    throw new ApiError(ERROR_CODES[code][0], code, `${message}.`, { fields: faults });
  }
}

/**
 * Well formed, and more cents than a number holds exactly: above the maximum of any merchant, whatever the double
 * makes of it, so that the answer is a limit's (422) and not that of a number that cannot be read.
 */
function isBeyondAnyMaximum(written: Decimal | null | undefined): boolean {
  const cents = written ? toUnits(written, USD_PLACES) : null;
  return cents !== null && cents > BigInt(Number.MAX_SAFE_INTEGER);
}

function shapeOf(type: BodyClass): Shape {
  const traits = traitsOf(type);
  const nested = nestedTypesOf(type);
  return new Map(
    Object.entries(schemaOf(type, DEFINITIONS).properties).map(([name, schema]) => [
      name,
      {
        traits: traits[name] ?? {},
        spellings: traits[name]?.any_case
          ? new Map((schema.enum as string[]).map((one) => [one.toLowerCase(), one]))
          : null,
        nested: nested[name] ? shapeOf(nested[name]) : null,
        scalar: ([schema.type].flat() as unknown[]).find(isScalar) ?? null,
      },
    ]),
  );
}

const isScalar = (type: unknown): type is 'integer' | 'number' | 'boolean' =>
  type === 'integer' || type === 'number' || type === 'boolean';

/** Copies the known fields: null counts as absent, unknown names are reported (specification §1.5, §1.13). */
function pick(
  shape: Shape,
  from: Readonly<Record<string, unknown>>,
  path: string,
  ignored: string[],
  faults: FieldFault[],
): object {
  const picked: Record<string, unknown> = {};
  for (const name of Object.keys(from)) {
    const field = shape.get(name);
    const value = from[name];
    if (!field) ignored.push(path + name);
    else if (value === null && !field.traits.or_null) continue;
    else if (field.traits.not_yet) {
      faults.push({ field: path + name, message: 'is not supported yet; leave it out' });
    } else {
      picked[name] = field.nested
        ? pickNested(field.nested, value, `${path}${name}.`, ignored, faults)
        : spelled(field, value);
    }
  }
  return picked;
}

function pickNested(
  shape: Shape,
  value: unknown,
  path: string,
  ignored: string[],
  faults: FieldFault[],
): unknown {
  if (Array.isArray(value)) {
    return value.map((one, at) => pickNested(shape, one, `${path}${at}.`, ignored, faults));
  }
  if (typeof value !== 'object' || value === null) return value;
  return pick(shape, value as Record<string, unknown>, path, ignored, faults);
}

function spelled(field: Field, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = field.traits.trimmed ? value.trim() : value;
  return field.spellings?.get(text.toLowerCase()) ?? text;
}

/** Texts that do not say what is asked for stay texts, and the validator says so. */
function scalarOf(type: 'integer' | 'number' | 'boolean', text: string): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  const number = /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?$/.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : text;
}
