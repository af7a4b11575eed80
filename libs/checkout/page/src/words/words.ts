import type { Language } from '@tender/page';
import type { View } from '../view';
import { en, type Words } from './en';
import { fr } from './fr';

export const WORDS: Readonly<Record<Language, Words>> = { en, fr };
export type { Words };

/** Of the window. */
export const titleOf = ({ page: { shown } }: Pick<View, 'page'>, words: Words): string =>
  shown ? words.title(shown.merchant_name) : words.not_found_title;
