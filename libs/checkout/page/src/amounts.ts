import { formatUnits, TOKEN_DECIMALS, type Currency, type Token } from '@tender/kernel';
import type { Language } from '@tender/page';

/** `$4.50`, as people of that language write it. */
export const moneyText = (amount: number, currency: Currency, language: Language): string =>
  moneyFormat(currency, language).format(amount);

const moneyFormats: Partial<Record<`${Currency} ${Language}`, Intl.NumberFormat>> = {};
/** Kept: a page shows several amounts, and a format is slow to make. */
const moneyFormat = (currency: Currency, language: Language): Intl.NumberFormat =>
  (moneyFormats[`${currency} ${language}`] ??= new Intl.NumberFormat(language, {
    ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol' },
  }));

/** `4.50 USDC` from base units; never rounded: this is what the wallet shows. */
export function tokenText(units: string, token: Token, language: Language): string {
  const exact = formatUnits(BigInt(units), TOKEN_DECIMALS[token]);
  const [whole = '0', places = ''] = exact.split('.');
  const kept = places.replace(/0+$/, '').padEnd(2, '0');
  const mark = language === 'fr' ? ',' : '.';
  return `${BigInt(whole).toLocaleString(language)}${mark}${kept} ${token}`;
}

/** What the payment asks for, in its token. */
export const tokensDue = (
  { token_amount, token }: { readonly token_amount: string; readonly token: Token },
  language: Language,
): string => tokenText(token_amount, token, language);

/** `14:05` of milliseconds, `23:59:59` of what lasts longer than an hour. */
export function countdown(left_ms: number): string {
  const seconds = Math.max(0, Math.ceil(left_ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const left = minutes < 60 ? [minutes] : [Math.floor(minutes / 60), minutes % 60];
  return [...left, seconds % 60].map((part, at) => String(part).padStart(at && 2, '0')).join(':');
}

/** `9xQe…SFin`. */
export const shortened = (text: string): string => `${text.slice(0, 4)}…${text.slice(-4)}`;
