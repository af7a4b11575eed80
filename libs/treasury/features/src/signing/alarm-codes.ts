import type { Runtime } from '@tender/eventing';
import { meaningOf, SIGNER_CODES } from '@tender/threshold';
import { ROSTER_INVALID } from '../operating-wallet/agreed-roster';
import { ANSWER_NOT_GENUINE } from './ask-signer';

/** What treasury itself finds in the answers of signers. */
export const WALLET_NOT_GENUINE = 'wallet_not_genuine';
const FOUND_BY_TREASURY: readonly string[] = [
  ...[ANSWER_NOT_GENUINE, ROSTER_INVALID, WALLET_NOT_GENUINE],
];

/**
 * Whether no honest treasury and no honest signer causes it (`docs/custody.md`). Signers judge for themselves: this
 * only says what is counted, and what freezes a wallet when it comes three times.
 */
export const isAlarm = (code: string): boolean =>
  meaningOf(code)?.alarm ?? FOUND_BY_TREASURY.includes(code);

export const ALARM_CODES: readonly string[] = [
  ...Object.keys(SIGNER_CODES).filter(isAlarm),
  ...FOUND_BY_TREASURY,
];

/** What was never counted cannot be seen to rise: the first alarm of a code would not page. */
export function countAlarmsFromZero({ telemetry }: Pick<Runtime, 'telemetry'>): void {
  for (const code of ALARM_CODES) telemetry.count('tender_signer_alarms_total', { code }, 0);
}
