import type { Locale, SealedRecipient } from '@tender/billing-domain';
import { fromUnits, timeOf, type Currency } from '@tender/kernel';
import type { DescribedMail } from '@tender/mail';

/** What a mail says in the name of that shop to the customer of that name, which may be empty. */
export type Said = Pick<DescribedMail, 'subject' | 'title' | 'parts' | 'why'>;

/** A mail before it is known what its shop and its customer are called. */
export interface Letter {
  readonly customer: SealedRecipient;
  readonly locale: Locale;
  readonly says: (shop: string, customer: string) => Said;
}

const REGIONS = { en: { money: 'en-US', time: 'en-GB' }, fr: { money: 'fr-FR', time: 'fr-FR' } } as const;
const CENT_PLACES = 2;

/** `$1,234.50`, `1 234,50 $`. */
export const money = (amount: number, currency: Currency | 'NGN', locale: Locale): string =>
  new Intl.NumberFormat(REGIONS[locale].money, {
    ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol' },
  }).format(amount);

/** The same, of cents. */
export const cents = (minor: string, currency: Currency, locale: Locale): string =>
  money(fromUnits(BigInt(minor), CENT_PLACES), currency, locale);

/** `30 November 2026`: the day of that time, UTC. */
export const day = (time: string, locale: Locale): string =>
  new Intl.DateTimeFormat(REGIONS[locale].time, { dateStyle: 'long', timeZone: 'UTC' }).format(
    timeOf(time),
  );

/** `30 November 2026 at 09:00 UTC`. */
export const moment = (time: string, locale: Locale): string => {
  const form = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(REGIONS[locale].time, form).format(timeOf(time))} UTC`;
};
