import type { Locale } from '@tender/billing-domain';
import { en, type Words } from './words.en';
import { fr } from './words.fr';

/** What every mail of billing says in its own words, in each language. */
export const WORDS: Readonly<Record<Locale, Words>> = { en, fr };
