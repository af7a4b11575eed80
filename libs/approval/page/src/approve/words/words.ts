import type { Language } from '@tender/page/browser';
import { en, type ApproveWords } from './en';
import { fr } from './fr';

export const APPROVE_WORDS: Readonly<Record<Language, ApproveWords>> = { en, fr };
export type { ApproveWords };
