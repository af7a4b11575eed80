import { describeMerchant, inspectPayment } from '@tender/contracts';
import type { OneTimeCodes, Runtime } from '@tender/eventing';
import { invariant, type Mode } from '@tender/kernel';
import type { DescribedMail, Dropped, QueuedMail } from '@tender/mail';
import { codeAt } from './dispute-codes';
import { emailOfAccount } from './known-email';
import { WORDS } from './words';

const MINUTE_MS = 60_000;

/**
 * The mail of a code. Whether the payment knows the e-mail is found out here, long after the answer, which therefore
 * cannot show it (S29). Throws `Unavailable`.
 */
export async function describeCodeMail(
  runtime: Pick<Runtime, 'calls' | 'keyRing'>,
  codes: Pick<OneTimeCodes, 'told'>,
  { event_id, stream, mode, merchant_id, correlation_id }: QueuedMail,
): Promise<DescribedMail | Dropped> {
  const { account, payment_id } = codeAt(stream);
  const told = await codes.told(account);
  if (told === null) return 'not_owed';
  const asking = { mode: mode as Mode, correlation_id };
  const inspected = await runtime.calls.ask(inspectPayment, { payment_id }, asking);
  const address = inspected && (await emailOfAccount(runtime.keyRing, inspected, account));
  if (!address) return 'not_needed';
  const shop = await runtime.calls.ask(describeMerchant, { merchant_id }, asking);
  invariant(shop, 'a merchant that was paid is registered');
  const { language, digits, left_ms } = told;
  const words = WORDS[language];
  return {
    ...{ id: event_id, mode, merchant_id, language },
    to: { name: '', address },
    shop: null,
    ...{ subject: words.subject(shop.name), title: words.title, why: words.why },
    parts: [
      { kind: 'paragraph', text: words.text(shop.name) },
      {
        kind: 'facts',
        rows: [
          { label: words.code, value: digits },
          { label: words.payment, value: payment_id },
          { label: words.until, value: words.minutes(Math.ceil(left_ms / MINUTE_MS)) },
        ],
      },
      { kind: 'paragraph', text: words.caution },
    ],
  };
}
