import { formatUnits, TOKEN_DECIMALS, type Currency, type Token } from '@tender/kernel';
import type { Language } from './page-data';

/** `$4.50`, as people of that language write it. */
export const moneyText = (amount: number, currency: Currency, language: Language): string =>
  new Intl.NumberFormat(language, {
    ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol' },
  }).format(amount);

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

/** `14:05` of milliseconds. */
export function countdown(left_ms: number): string {
  const seconds = Math.max(0, Math.ceil(left_ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
