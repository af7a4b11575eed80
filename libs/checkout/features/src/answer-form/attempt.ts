import { ATTEMPT_FIELD } from '@tender/checkout-page';
import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';

const BYTES = 16;
const FORM = /^[0-9a-f]{32}$/;

/** For each page of a link another one: its button, pressed twice, begins one payment. */
export const freshAttempt = (random: Runtime['random']): string =>
  Buffer.from(random.bytes(BYTES)).toString('hex');

/** Of the page that the form was on; null where it says none of ours. */
export function attemptIn(form: Readonly<Record<string, string>>): string | null {
  const sent = form[ATTEMPT_FIELD] ?? '';
  return FORM.test(sent) ? sent : null;
}

/** The request under the ids of its attempt, as an Idempotency-Key would give them (ADR 0003). */
export function underAttempt(
  keyRing: Pick<Runtime['keyRing'], 'idBytes'>,
  caller: RequestContext,
  link_code: string,
  attempt: string | null,
): RequestContext {
  if (attempt === null) return caller;
  const bytes = keyRing.idBytes(`form|${caller.mode}|${link_code}|${attempt}`);
  const command_id = bytes.subarray(0, 16).toString('hex');
  return { ...caller, command_id, id_seed: bytes.subarray(16, 32).toString('hex') };
}
