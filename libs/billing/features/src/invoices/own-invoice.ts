import type { KnownInvoice } from '@tender/billing-domain';
import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { notFound, own } from '@tender/http';
import { invoice } from './invoice.aggregate';

/** The caller’s invoice. One without a number yet does not exist: no merchant has seen it. Throws 404. */
export async function ownInvoice(
  runtime: Pick<Runtime, 'eventStore' | 'readModels'>,
  caller: RequestContext,
  id: string,
): Promise<KnownInvoice> {
  const row = await own(invoice, runtime, caller, id);
  if (row.status !== 'unnumbered') return row;
  const now = await invoice.load(runtime, caller.mode, id);
  if (now === null || now.status === 'unnumbered') throw notFound();
  return now;
}
