import { decimalOf, EMAIL_CHARACTERS_MAX, isEmailAddress, toUnits } from '@tender/kernel';
import { isCountry, isDayOrZonedTime, isPageUrl, isZonedTime, PAGE_URL_CHARACTERS_MAX } from './text-forms';

/** What plain JSON Schema cannot say: one test for requests, one sentence for people, one schema for documents. */
export interface FieldRule {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Follows the field's name: "amount must be …". */
  readonly message: string;
  readonly test: (value: unknown) => boolean;
  /** Of an amount, which is no secret: a refusal names what was read, and what would pass (specification §1.6). */
  readonly places?: number;
}

const USD_PLACES = 2;

/** Above zero and exact to so many places. */
const isPositive = (value: unknown, places: number): boolean =>
  typeof value === 'number' &&
  Number.isFinite(value) &&
  value > 0 &&
  toUnits(decimalOf(value), places) !== null;

/** The caller's maximum is a rule of the merchant, not of the field. */
const isUsdAmount = (value: unknown): boolean => isPositive(value, USD_PLACES);

const QUANTITY_PLACES = 6;

/** Of a line of an invoice: hours, pieces, kilograms. */
const isQuantity = (value: unknown): boolean => isPositive(value, QUANTITY_PLACES);

const METADATA_KEYS_MAX = 50;
const METADATA_KEY_CHARACTERS_MAX = 40;
const METADATA_VALUE_CHARACTERS_MAX = 500;
const METADATA_BYTES_MAX = 16 * 1024;

/** Code points: what a person counts, whatever UTF-16 makes of them. */
function isLongerThan(text: string, characters_max: number): boolean {
  return text.length > characters_max && [...text].length > characters_max;
}

function fitsMetadata(value: unknown): boolean {
  if (typeof value === 'string') return !isLongerThan(value, METADATA_VALUE_CHARACTERS_MAX);
  if (Array.isArray(value)) return value.every(fitsMetadata);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([key, part]) => !isLongerThan(key, METADATA_KEY_CHARACTERS_MAX) && fitsMetadata(part),
  );
}

/** Decisions §1.6. */
export function isMetadata(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length <= METADATA_KEYS_MAX &&
    fitsMetadata(value) &&
    Buffer.byteLength(JSON.stringify(value)) <= METADATA_BYTES_MAX
  );
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** 32 bytes in base58, on or off the curve, and not the system program (32 zero bytes), which has no owner. */
export const isBase58Address = (value: unknown): boolean => isBase58(value, 32);
/** 64 bytes in base58, not all of them zero. */
export const isTransactionSignature = (value: unknown): boolean => isBase58(value, 64);

function isBase58(value: unknown, bytes: number): boolean {
  if (typeof value !== 'string') return false;
  if (value.length < bytes || value.length > Math.ceil(bytes * 1.37)) return false;
  let number = 0n;
  for (const character of value) {
    const digit = BASE58.indexOf(character);
    if (digit < 0) return false;
    number = number * 58n + BigInt(digit);
  }
  if (number === 0n || number >> BigInt(8 * bytes) !== 0n) return false;
  const leading_zeros = value.length - value.replace(/^1+/, '').length;
  return leading_zeros + Math.ceil(number.toString(16).length / 2) === bytes;
}

/** Marks that turn the direction of text: with them a name reads as another one where it is shown. */
const BIDI_CONTROLS = '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';
const HAS_BIDI_CONTROL = new RegExp(`[${BIDI_CONTROLS}]`);
// U+2800, a Braille cell without dots, is drawn as a space though it is none.
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u;

/** What a person reads as one and the same name wherever it is shown. */
export const isName = (value: unknown): boolean =>
  typeof value === 'string' && VISIBLE.test(value) && !HAS_BIDI_CONTROL.test(value);

const EXTERNAL_ID_CHARACTERS_MAX = 100;
const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}]/u;

/** A shop’s own name for an order: each character is one to see. */
const isExternalId = (value: unknown): boolean =>
  typeof value === 'string' &&
  value !== '' &&
  !UNSEEN.test(value) &&
  !isLongerThan(value, EXTERNAL_ID_CHARACTERS_MAX);

export const FIELD_RULES = {
  'usd-amount': {
    schema: { type: 'number', exclusiveMinimum: 0 },
    message: `must be a JSON number above 0 with at most ${USD_PLACES} decimals, in USD, EUR and GBP alike`,
    test: isUsdAmount,
    places: USD_PLACES,
  },
  quantity: {
    schema: { type: 'number', exclusiveMinimum: 0 },
    message: `must be a JSON number above 0 with at most ${QUANTITY_PLACES} decimals`,
    test: isQuantity,
    places: QUANTITY_PLACES,
  },
  metadata: {
    schema: { type: 'object', additionalProperties: true },
    message:
      'must be an object of at most 50 keys and 16 KiB, with keys of at most 40 and texts of at most 500 characters',
    test: isMetadata,
  },
  'base58-address': {
    schema: { type: 'string', pattern: `^[${BASE58}]{32,44}$` },
    message: 'must be a Solana address: 32 bytes in base58',
    test: isBase58Address,
  },
  'transaction-signature': {
    schema: { type: 'string', pattern: `^[${BASE58}]{64,88}$` },
    message: 'must be the signature of a transaction: 64 bytes in base58',
    test: isTransactionSignature,
  },
  'email-address': {
    schema: { type: 'string', format: 'email', maxLength: EMAIL_CHARACTERS_MAX },
    message: 'must be an e-mail address such as shop@example.com',
    test: isEmailAddress,
  },
  name: {
    schema: { type: 'string', minLength: 1, pattern: `^(?=.*\\S)[^${BIDI_CONTROLS}]*$` },
    message: 'must hold something to see, and no marks that turn the direction of text',
    test: isName,
  },
  'external-id': {
    schema: { type: 'string', minLength: 1, maxLength: EXTERNAL_ID_CHARACTERS_MAX },
    message: `must be 1 to ${EXTERNAL_ID_CHARACTERS_MAX} visible characters, without spaces`,
    test: isExternalId,
  },
  'page-url': {
    schema: { type: 'string', format: 'uri', maxLength: PAGE_URL_CHARACTERS_MAX },
    message: `must be an http or https URL of at most ${PAGE_URL_CHARACTERS_MAX} characters`,
    test: isPageUrl,
  },
  'zoned-time': {
    schema: { type: 'string', format: 'date-time' },
    message: 'must be a time such as 2026-05-31T12:00:00Z, with its zone',
    test: isZonedTime,
  },
  'day-or-zoned-time': {
    schema: { type: 'string' },
    message: 'must be a day such as 2026-05-31, or a time such as 2026-05-31T12:00:00Z, with its zone',
    test: isDayOrZonedTime,
  },
  country: {
    schema: { type: 'string', pattern: '^[A-Z]{2}$' },
    message: 'must be a country of ISO 3166-1 in two capital letters, such as GB',
    test: isCountry,
  },
} as const satisfies Record<string, FieldRule>;

export type FieldRuleName = keyof typeof FIELD_RULES;
