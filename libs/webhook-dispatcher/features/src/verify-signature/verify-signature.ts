import { timingSafeEqual } from 'node:crypto';
import { hexSignature } from '../sign-delivery/sign-delivery';

export interface Verification {
  readonly valid: boolean;
  readonly message: string;
  readonly timestamp_age_seconds: number | null;
}

const PAST_SECONDS_MAX = 300;
const FUTURE_SECONDS_MAX = 60;
const TIME = /^t=(\d{1,12})$/;
const SIGNATURE = /^v1=([0-9a-f]{64})$/;
/** More than two secrets never sign at once. */
const SIGNATURES_MAX = 8;

/**
 * Checks `t=…,v1=…` as a receiver has to. It says whether the time is at fault, never which other part.
 * `wall` in milliseconds.
 */
export function verifySignature(
  header: string,
  payload: Buffer | string,
  secrets: readonly string[],
  wall: number,
): Verification {
  const parts = header.split(',').map((part) => part.trim());
  const times = parts.filter((part) => part.startsWith('t='));
  const signatures = parts.filter((part) => part.startsWith('v1='));
  const t = times.length === 1 ? TIME.exec(times[0] as string)?.[1] : undefined;
  const age = t === undefined ? null : Math.floor(wall / 1000) - Number(t);
  const matches =
    t !== undefined &&
    signatures.length <= SIGNATURES_MAX &&
    signatures.map((part) => matchesOne(part, t, payload, secrets)).includes(true);

  if (age !== null && age > PAST_SECONDS_MAX) {
    return no('The timestamp is more than 300 seconds old.', age);
  }
  if (age !== null && age < -FUTURE_SECONDS_MAX) {
    return no('The timestamp is more than 60 seconds in the future.', age);
  }
  if (!matches) return no('The signature does not match.', age);
  return { valid: true, message: 'The signature is valid.', timestamp_age_seconds: age };
}

const no = (message: string, age: number | null): Verification => ({
  valid: false,
  message,
  timestamp_age_seconds: age,
});

function matchesOne(
  part: string,
  t: string,
  payload: Buffer | string,
  secrets: readonly string[],
): boolean {
  const given = SIGNATURE.exec(part)?.[1];
  if (given === undefined) return false;
  return secrets
    .map((secret) => Buffer.from(hexSignature(secret, t, payload)))
    .map((expected) => timingSafeEqual(expected, Buffer.from(given)))
    .includes(true);
}
