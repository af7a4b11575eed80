import 'reflect-metadata';
import { IsIn, IsInt, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import { FIELD_RULES, type FieldRuleName } from './field-rules';

/** What our own decorators add to a field, beside the rules of class-validator. */
export interface FieldTraits {
  readonly rule?: FieldRuleName;
  /** `null` is a value of its own; elsewhere a request's null means absent (decisions §1.13). */
  readonly or_null?: true;
  /** The specification knows the field, this version does not build it: 400 (decisions §1.5). */
  readonly not_yet?: true;
  /** Enum in any spelling of case, handed on in its canonical one (decisions §1.11). */
  readonly any_case?: true;
  /** Spaces around it are dropped. */
  readonly trimmed?: true;
  /** Control characters are data here. NUL and lone surrogates are still refused. */
  readonly raw_text?: true;
  readonly description?: string;
  readonly example?: unknown;
}

const TRAITS = Symbol('tender:field-traits');
type TraitsByField = Readonly<Record<string, FieldTraits>>;

const trait =
  (traits: FieldTraits): PropertyDecorator =>
  (prototype, field) => {
    const known = (Reflect.getMetadata(TRAITS, prototype) ?? {}) as TraitsByField;
    const name = String(field);
    Reflect.defineMetadata(TRAITS, { ...known, [name]: { ...known[name], ...traits } }, prototype);
  };

/** Traits by field name, those of base classes included. */
export const traitsOf = (type: { readonly prototype: object }): TraitsByField =>
  (Reflect.getMetadata(TRAITS, type.prototype) ?? {}) as TraitsByField;

const all =
  (...decorators: readonly PropertyDecorator[]): PropertyDecorator =>
  (prototype, field) => {
    for (const decorate of decorators) decorate(prototype, field);
  };

const fieldRule = (rule: FieldRuleName): PropertyDecorator =>
  all(
    trait({ rule }),
    ValidateBy({
      name: rule,
      validator: {
        validate: (value) => FIELD_RULES[rule].test(value),
        defaultMessage: () => `$property ${FIELD_RULES[rule].message}`,
      },
    }),
  );

/** USD above 0 with at most 2 decimals, read exactly (decisions §1.6). */
export const IsUsdAmount = (): PropertyDecorator => fieldRule('usd-amount');
/** At most 50 keys of 40 characters, texts of 500, 16 KiB in all (decisions §1.6). */
export const IsMetadata = (): PropertyDecorator => fieldRule('metadata');
export const IsBase58Address = (): PropertyDecorator => fieldRule('base58-address');
/** Trimmed before it is looked at (decisions §1.11). */
export const IsEmailAddress = (): PropertyDecorator =>
  all(fieldRule('email-address'), trait({ trimmed: true }));

/** One of these in any case; the handler sees the spelling given here (decisions §1.11). */
export const IsInAnyCase = (values: readonly string[]): PropertyDecorator =>
  all(IsIn(values), trait({ any_case: true }));

/** The value or null: answers that are "null when empty", requests where null says something. */
export const OrNull = (): PropertyDecorator => trait({ or_null: true });

/** Known to the specification, refused with 400 until it is built. The field stays in the documents. */
export const NotYetSupported = (): PropertyDecorator => all(IsOptional(), trait({ not_yet: true }));

/** Somebody else's bytes: a line break in it is data. */
export const IsRawText = (): PropertyDecorator => trait({ raw_text: true });

export const Describe = (description: string, example?: unknown): PropertyDecorator =>
  trait({ description, ...(example === undefined ? {} : { example }) });

export const PAGE_LIMIT_DEFAULT = 20;
export const PAGE_LIMIT_MAX = 100;

/** `limit` and `offset` of a list (decisions §1.7). Lists with another default override `limit` by a subclass. */
export class PageQuery {
  @Describe(`How many at most; ${PAGE_LIMIT_DEFAULT} unless told.`)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(PAGE_LIMIT_MAX)
  limit?: number;

  @Describe('How many to leave out from the newest on; 0 unless told.')
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  offset?: number;
}
