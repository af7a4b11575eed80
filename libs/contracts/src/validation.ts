import 'reflect-metadata';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
} from 'class-validator';
import { API_KEY_PATTERN } from './api-key';
import { FIELD_RULES, type FieldRuleName } from './field-rules';
import { idPatternOf, type IdKind } from './object-ids';

/** What our own decorators add to a field, besides the rules of class-validator. */
export interface FieldTraits {
  readonly rule?: FieldRuleName;
  /** `null` is a value of its own; elsewhere a request's null means absent (specification §1.13). */
  readonly or_null?: true;
  /** The specification knows the field, this version does not build it: 400 (specification §1.5). */
  readonly not_yet?: true;
  /** Enum in any spelling of case, handed on in its canonical one (specification §1.11). */
  readonly any_case?: true;
  /** Spaces around it are dropped. */
  readonly trimmed?: true;
  /** Control characters are data here. NUL and lone surrogates are still refused. */
  readonly raw_text?: true;
  readonly description?: string;
  readonly example?: unknown;
  /** Where the body of a webhook has it among the fields of its object. */
  readonly webhook_place?: number;
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

/** Several decorators of a field as one. */
export const all =
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

/** USD above 0 with at most 2 decimals, read exactly (specification §1.6). */
export const IsUsdAmount = (): PropertyDecorator => fieldRule('usd-amount');
/** How many of something, above 0 with at most 6 decimals. */
export const IsQuantity = (): PropertyDecorator => fieldRule('quantity');
/** At most 50 keys of 40 characters, texts of 500, 16 KiB in all (specification §1.6). */
export const IsMetadata = (): PropertyDecorator => fieldRule('metadata');
export const IsBase58Address = (): PropertyDecorator => fieldRule('base58-address');
export const IsTransactionSignature = (): PropertyDecorator => fieldRule('transaction-signature');
/** Trimmed before it is looked at (specification §1.11). */
export const IsEmailAddress = (): PropertyDecorator =>
  all(fieldRule('email-address'), trait({ trimmed: true }));

/** 1 to 100 characters that can be seen (specification §2.3). */
export const IsExternalId = (): PropertyDecorator => fieldRule('external-id');
/** Where a browser may be sent: http or https (specification §2.3). */
export const IsPageUrl = (): PropertyDecorator => fieldRule('page-url');
/** A time of a request, which names its zone. */
export const IsZonedTime = (): PropertyDecorator => fieldRule('zoned-time');
/** A bound of a list: a day, of which the whole is meant, UTC, or a time that names its zone. */
export const IsDayOrZonedTime = (): PropertyDecorator => fieldRule('day-or-zoned-time');
/** ISO 3166-1 alpha-2. */
export const IsCountry = (): PropertyDecorator => fieldRule('country');

/** An id in an answer: what clients may rely on of its form. */
export const IsIdOf = (kind: IdKind): PropertyDecorator =>
  all(IsString(), Matches(new RegExp(idPatternOf(kind))), trait({ example: exampleId(kind) }));

export const IsApiKey = (): PropertyDecorator => all(IsString(), Matches(API_KEY_PATTERN));

/** What people call something or say of it: never only invisible, nor with marks that make it read otherwise. */
export const IsName = (characters_max: number): PropertyDecorator =>
  all(fieldRule('name'), MaxLength(characters_max));

/** One of these in any case; the handler sees the spelling given here (specification §1.11). */
export const IsInAnyCase = (values: readonly string[]): PropertyDecorator =>
  all(IsIn(values), trait({ any_case: true }));

/** The value or null: answers that are "null when empty", requests where null says something. */
export const OrNull = (): PropertyDecorator => trait({ or_null: true });

/** Known to the specification, refused with 400 until it is built. The field stays in the documents. */
export const NotYetSupported = (): PropertyDecorator => all(IsOptional(), trait({ not_yet: true }));

/** Another party's bytes: a line break in it is data. */
export const IsRawText = (): PropertyDecorator => trait({ raw_text: true });

/** Always null: the specification knows the field, and nothing fills it yet. */
export const IsNull = (): PropertyDecorator =>
  ValidateBy({
    name: 'isNull',
    validator: {
      validate: (value) => value === null,
      defaultMessage: () => '$property must be null',
    },
  });

const REASON_MAX = 500;

/** Why an admin changes something; kept in the audit log (specification §2.14). */
export const IsReason = (): PropertyDecorator =>
  all(Describe('Why; kept in the audit log.', 'Contract signed on 3 May'), IsName(REASON_MAX));

/** ISO 8601 with milliseconds, UTC. */
export const IsTime = (): PropertyDecorator => IsISO8601();

/** Whole base units of a token, as text: more than a JSON number can hold. */
export const IsBaseUnits = (): PropertyDecorator =>
  all(IsString(), Matches(/^-?\d+$/), Describe('Base units of the token.'));

/**
 * Webhooks have kept the order of their fields since the first release, which is not that of the class. A field
 * without a place comes after those that have one.
 */
export const WebhookPlace = (place: number): PropertyDecorator => trait({ webhook_place: place });

export const Describe = (description: string, example?: unknown): PropertyDecorator =>
  trait({ description, ...(example === undefined ? {} : { example }) });

const ID_CHARACTERS = '0abcdefghijklmnopqrstu';

function exampleId(kind: IdKind): string {
  if (kind.form === 'prefixed') return `${kind.prefix}_test_${ID_CHARACTERS}`;
  return kind.form !== 'uuid' ? `t${ID_CHARACTERS}` : '8d8e8f90-9192-8394-9596-979899a0a1a2';
}

const LEFT_OUT = Symbol('tender:left-out');

/** A class with the fields of another but these. */
export function without<Whole extends object, const Field extends keyof Whole & string>(
  whole: new () => Whole,
  ...fields: readonly Field[]
): new () => Omit<Whole, Field> {
  class Part extends (whole as new () => object) {}
  Reflect.defineMetadata(LEFT_OUT, fields, Part);
  return Part as new () => Omit<Whole, Field>;
}

export const isLeftOut = (type: object, field: string): boolean =>
  ((Reflect.getMetadata(LEFT_OUT, type) ?? []) as readonly string[]).includes(field);

export const PAGE_LIMIT_DEFAULT = 20;
export const PAGE_LIMIT_MAX = 100;

/** `limit` and `offset` of a list (specification §1.7). Lists with another default override `limit` by a subclass. */
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

/** Where a page lies in its list. */
export class Pagination {
  @IsInt() limit!: number;
  @IsInt() offset!: number;
  @IsInt() total!: number;
  @IsBoolean() has_more!: boolean;
}

export const NUMBERED_PAGE_LIMIT = 25;
const PAGE_MAX = 1_000_000;

/** Of lists that count in pages. */
export class NumberedPageQuery {
  @Describe('From 1 on; 1 unless told.') @IsOptional() @IsInt() @Min(1) @Max(PAGE_MAX) page?: number;

  @Describe(`How many at most; ${NUMBERED_PAGE_LIMIT} unless told.`)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(PAGE_LIMIT_MAX)
  limit?: number;
}

export class NumberedPagination {
  @IsInt() page!: number;
  @IsInt() limit!: number;
  @IsInt() total!: number;
  @IsInt() total_pages!: number;
}
