import { meaningOf } from '@tender/threshold';
import { ANSWER_NOT_GENUINE } from './ask-signer';

/** What treasury itself finds in the answers of signers. */
export const FOUND_BY_TREASURY: readonly string[] = [ANSWER_NOT_GENUINE, 'roster_invalid'];

/**
 * Whether no honest treasury and no honest signer causes it (`docs/custody.md`). Signers judge for themselves: this
 * only says what is counted, and what freezes a wallet when it comes three times.
 */
export const isAlarm = (code: string): boolean =>
  meaningOf(code)?.alarm ?? FOUND_BY_TREASURY.includes(code);
