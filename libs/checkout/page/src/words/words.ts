import type { Language } from '../page-data';
import type { View } from '../view';
import { en, type Words } from './en';
import { fr } from './fr';

export const WORDS: Readonly<Record<Language, Words>> = { en, fr };
export type { Words };

/** Of the window. */
export const titleOf = ({ page: { shown } }: Pick<View, 'page'>, words: Words): string =>
  shown ? words.title(shown.merchant_name) : words.not_found_title;

/** What `Accept-Language` asks for first of what there is. English where it asks for nothing that is there. */
export function languageOf(asked: string | undefined, accepted: string | undefined): Language {
  const wishes = [asked ?? '', ...(accepted ?? '').split(',')];
  for (const wish of wishes) {
    const name = wish.trim().slice(0, 2).toLowerCase();
    if (Object.hasOwn(WORDS, name)) return name as Language;
  }
  return 'en';
}
