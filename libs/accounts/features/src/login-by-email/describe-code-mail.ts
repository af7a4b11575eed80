import type { OneTimeCodes, Runtime } from '@tender/eventing';
import type { DescribedMail, Dropped, QueuedMail } from '@tender/mail';
import { merchant } from '../merchant-details/merchant.aggregate';
import { openMerchant } from '../merchant-details/open-merchant';
import { WORDS } from './words';

const MINUTE_MS = 60_000;

/**
 * The mail of a login code. Where no merchant has that e-mail there is none: that is found out here, long after the
 * answer, which therefore cannot show it (S29). Throws `Unavailable`.
 */
export async function describeCodeMail(
  runtime: Pick<Runtime, 'eventStore' | 'keyRing'>,
  codes: Pick<OneTimeCodes, 'told'>,
  { event_id, mode, merchant_id }: QueuedMail,
): Promise<DescribedMail | Dropped> {
  const told = await codes.told(merchant_id);
  if (told === null) return 'not_owed';
  const known = await merchant.load(runtime, 'all', merchant_id);
  if (known === null) return 'not_needed';
  const { name, email } = await openMerchant(runtime, known);
  if (email === '') return 'not_needed';
  const { language, digits, left_ms } = told;
  const words = WORDS[language];
  return {
    ...{ id: event_id, mode, merchant_id, language },
    to: { name, address: email },
    shop: null,
    ...{ subject: words.subject, title: words.title, why: words.why },
    parts: [
      { kind: 'paragraph', text: words.text(name) },
      {
        kind: 'facts',
        rows: [
          { label: words.code, value: digits },
          { label: words.until, value: words.minutes(Math.ceil(left_ms / MINUTE_MS)) },
        ],
      },
      { kind: 'paragraph', text: words.caution },
    ],
  };
}
