import { smtpMail } from '@tender/adapter-smtp';
import { CERTIFICATE, startMailServer } from '@tender/adapter-smtp/testing';
import { describeMerchant, mailDue } from '@tender/contracts';
import type { Category, Mail, Runtime, StoredEvent } from '@tender/eventing';
import type { HostedContext } from '@tender/http';
import { billingContext } from '../billing.context';
import { MAILED_EVENTS } from '../mails/letter-of';
import { sealRecipient, type Recipient } from '../recipients/recipients';
import { billingStage } from './billing-stage';
import { lifeUntil, type LifeNoun } from './recorded-lives';

export const SHOP = { name: 'ỌJÀ Fabrics', support_email: 'help@oja.example' };
export const ADA: Recipient = { email: 'ada@example.com', name: 'Adébáyọ̀ Ọlá' };

/** Streams that nothing else of billing follows: no timer moves a life that is over. */
const STREAMS = {
  invoice: 'recorded_invoice',
  'installment-plan': 'recorded_installments',
  subscription: 'recorded_subscription',
} as const;

/** Billing as far as mails follow it: its recorded events, of which each that makes a mail is heard. */
const heard: HostedContext = {
  ...billingContext,
  publishes: {
    categories: Object.values(STREAMS).map((noun): Category => `${noun}.test`),
    publish({ type, data }: StoredEvent) {
      const { merchant_id } = (data as { readonly terms: { readonly merchant_id: string } }).terms;
      const told = { type: mailDue.type, data: { merchant_id, object_id: 'one' }, merchant_id };
      return MAILED_EVENTS.includes(type) ? told : null;
    },
  },
};

const PATIENT = {
  ...{ connect_ms: 120_000, greeting_ms: 120_000 },
  ...{ command_ms: 120_000, mail_ms: 120_000 },
};

type Deadlines = Partial<typeof PATIENT>;
type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** The way to a server of mail with STARTTLS and AUTH. */
export const mailThrough = (server: MailServer, deadlines: Deadlines = {}) =>
  smtpMail({
    server: server.settings(),
    ca: CERTIFICATE.cert,
    deadlines: { ...PATIENT, ...deadlines },
  });

export interface MailStageChanges extends Partial<Omit<Runtime, 'mail'>> {
  readonly shop?: typeof SHOP;
}

/** Billing with that way to people's mailboxes. */
export async function mailStage(mail: Mail, { shop = SHOP, ...ports }: MailStageChanges = {}) {
  const stage = await billingStage({ mail, ...ports }, heard);
  stage.runtime.calls.answer(describeMerchant, async ({ merchant_id }) => ({
    ...{ merchant_id, business_address: '5 High Street', wallet: null, amount_max: 1 },
    ...shop,
  }));
  let objects = 0;
  return {
    ...stage,
    /** What the domain has recorded of such an object happens to a new one, up to that event. */
    async lives(noun: LifeNoun, until: string, terms: object = {}, to: Recipient | null = ADA) {
      objects += 1;
      const of = { merchant_id: 'm1', mode: 'test' } as const;
      const customer = to && (await sealRecipient(stage.runtime, of, to));
      const stream = `${STREAMS[noun]}.test-${objects}` as const;
      for (const { type, data } of lifeUntil(noun, until, { customer, terms })) {
        await stage.say(stream, type, data);
      }
      return { stream, customer };
    },
    /** The queue, as an operator sees it. */
    rows: () =>
      stage.runtime.readModels.query<{ status: string; attempts: number; detail: string | null }>(
        'select status, attempts, detail from billing.mails order by created_at, event_id',
      ),
  };
}

export type MailStage = Awaited<ReturnType<typeof mailStage>>;
