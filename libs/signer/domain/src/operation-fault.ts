import { MODES, TOKENS } from '@tender/kernel';
import type { Operation } from '@tender/threshold';
import { keyBytes, signatureBytes } from '@tender/transactions';
import { brokenGuard, guard, type Guard } from './guard';

const FIELDS = 'amount,asset,credit,exp,id,mode,to,type,v,wallet';
const TYPES: readonly unknown[] = ['refund', 'settlement'] satisfies Operation['type'][];
const ID = /^[\w.:-]{1,128}$/;
/** As JSON has it: no sign, no zeros in front, no fraction, no exponent. */
const AMOUNT = /^[1-9]\d{0,19}$/;
/** What the chain can count. */
const AMOUNT_MAX = 2n ** 64n - 1n;

/** What an operation claims to be, before anything of it is believed. */
type Claimed = Readonly<Record<keyof Operation, unknown>>;

const rule = (says: string, holds: (claimed: Claimed) => boolean): Guard<Claimed> =>
  guard('op_malformed', says, holds);

/** What holds of every operation. */
export const OPERATION_GUARDS: readonly Guard<Claimed>[] = [
  rule(
    `an operation has the fields ${FIELDS} and no other`,
    (claimed) => fieldsOf(claimed) === FIELDS,
  ),
  rule('v is 1', ({ v }) => v === 1),
  rule('id is 1 to 128 letters, digits or . : _ -', ({ id }) => isText(id) && ID.test(id)),
  rule('type is refund or settlement', ({ type }) => TYPES.includes(type)),
  rule('mode is test or live', ({ mode }) => (MODES as readonly unknown[]).includes(mode)),
  rule('wallet is an address', ({ wallet }) => isAddress(wallet)),
  rule('to is an address', ({ to }) => isAddress(to)),
  rule('to is not the wallet that pays', ({ to, wallet }) => to !== wallet),
  rule('asset is USDC, USDT or SOL', ({ asset }) => (TOKENS as readonly unknown[]).includes(asset)),
  rule(
    'amount is a whole number above 0 as text',
    ({ amount }) => isText(amount) && AMOUNT.test(amount),
  ),
  rule('amount is below 2^64', ({ amount }) => BigInt(amount as string) <= AMOUNT_MAX),
  rule(
    'credit of a refund is a signature',
    ({ type, credit }) => type !== 'refund' || isSignature(credit),
  ),
  rule(
    'credit of a settlement is null',
    ({ type, credit }) => type !== 'settlement' || credit === null,
  ),
  rule('exp is a time in ms', ({ exp }) => Number.isSafeInteger(exp)),
];

/** Which rule of its form a value breaks; null where it is an operation. */
export const operationFault = (value: unknown): string | null =>
  brokenGuard(OPERATION_GUARDS, value as Claimed)?.rule ?? null;

const fieldsOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null ? Object.keys(value).sort().join() : null;

const isText = (value: unknown): value is string => typeof value === 'string';

/** Base58 writes 32 bytes in one way only. */
const isAddress = (value: unknown): boolean => isText(value) && keyBytes(value) !== null;

const isSignature = (value: unknown): boolean => isText(value) && signatureBytes(value) !== null;
