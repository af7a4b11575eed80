import type { Language } from '@tender/page/browser';
import { en, type Words } from './en';
import { fr } from './fr';

export const WORDS: Readonly<Record<Language, Words>> = { en, fr };
export type { Words };
