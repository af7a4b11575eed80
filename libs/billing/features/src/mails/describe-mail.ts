import { describeMerchant } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { invariant, type Mode } from '@tender/kernel';
import type { DescribedMail, Dropped, QueuedMail } from '@tender/mail';
import { openRecipient } from '../recipients/recipients';
import { letterOf } from './letter-of';
import { isStillOwed } from './still-owed';

type Needs = Pick<Runtime, 'eventStore' | 'keyRing' | 'calls'>;

/**
 * The mail of one event, from the log alone: the same however often it is made, but for what its shop is called by
 * then; or why it is not sent. What it asks for may be paid by now: so it is made right before it is sent, at each
 * attempt. Throws `Unavailable`.
 */
export async function describeMail(
  runtime: Needs,
  { event_id, stream, mode, merchant_id, correlation_id }: QueuedMail,
): Promise<DescribedMail | Dropped> {
  const history = await runtime.eventStore.load(stream);
  const index = history.findIndex(({ metadata }) => metadata.id === event_id);
  invariant(index >= 0, 'what a mail tells of is in the log');
  const letter = letterOf(history.slice(0, index + 1));
  const recipient = letter && (await openRecipient(runtime, letter.customer));
  if (!recipient) return 'not_needed';
  if (!isStillOwed(history, index)) return 'not_owed';
  const asking = { mode: mode as Mode, correlation_id };
  const merchant = await runtime.calls.ask(describeMerchant, { merchant_id }, asking);
  invariant(merchant, 'a merchant that bills is registered');
  const name = recipient.name ?? '';
  return {
    ...{ id: event_id, mode, merchant_id, language: letter.locale },
    to: { name, address: recipient.email },
    shop: { name: merchant.name, support_email: merchant.support_email },
    ...letter.says(merchant.name, name),
  };
}
