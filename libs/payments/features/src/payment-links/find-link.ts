import { codeIds, modeOf, newId, uuidIds, uuidOfCode } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { notFound } from '@tender/http';
import type { Mode } from '@tender/kernel';
import type { KnownPaymentLink } from '@tender/payments-domain';
import { paymentLink } from './payment-link.aggregate';

/** Both names of a new link, from the same 16 bytes: a code leads to the id, so that there is no look-up by code. */
export const linkNames = (mode: Mode, bytes: Uint8Array) => ({
  payment_link_id: newId(uuidIds, mode, bytes),
  link_code: newId(codeIds, mode, bytes),
});

/** 404 `payment_link_not_found`. */
export const linkNotFound = () => notFound('payment_link_not_found');

/** The link of that code or id, folded from its stream: as it is now. Throws 404. */
export async function findLink(
  runtime: Pick<Runtime, 'eventStore'>,
  mode: Mode,
  name: string,
): Promise<KnownPaymentLink> {
  const is_code = modeOf(codeIds, name) === mode;
  const id = is_code ? uuidOfCode(name) : name;
  const link = id === null ? null : await paymentLink.load(runtime, mode, id);
  // A UUID has 7 bits less than a code: another code may lead to the same id.
  if (link === null || (is_code && link.terms.link_code !== name)) throw linkNotFound();
  return link;
}
