import {
  PASSKEY_CEREMONY,
  type PasskeyCeremonyStep,
  type RelayedStep,
  type RelayRefusal,
} from '@tender/contracts';
import { Unavailable, type Runtime, type Signers } from '@tender/eventing';
import { done, refuse, type Outcome } from '@tender/kernel';
import { isSelfPlan, type MessageKind, type SignerMessages } from '@tender/threshold';
import { ANSWER_NOT_GENUINE, askSigner, type SignerRefusal } from '../signing/ask-signer';

const KINDS = {
  begin: 'ceremony.begin',
  'round-2': 'ceremony.round-2',
  'round-3': 'ceremony.round-3',
  finish: 'ceremony.finish',
} as const satisfies Record<PasskeyCeremonyStep, MessageKind>;
type Kind = (typeof KINDS)[PasskeyCeremonyStep];

/** A was started anew, has ended the ceremony, or never began it. */
const UNKNOWN: readonly string[] = ['session_unknown', 'session_used'];
/** A has too much to do: the same may succeed in a moment. */
const PASSING: readonly string[] = ['ceremony_busy', 'signer_unavailable'];

/**
 * Carries a message of the merchant’s browser to signer A, under treasury’s own signature, and answers what A has
 * signed for that session. It reaches ceremonies of passkey wallets alone. Throws `Unavailable` where A is silent.
 */
export async function relayToSignerA(
  { signers, log, telemetry }: Pick<Runtime, 'signers' | 'log' | 'telemetry'>,
  { session, step, body }: RelayedStep,
): Promise<Outcome<{ readonly answer: unknown }, RelayRefusal>> {
  if (signers === null) throw new Unavailable('the signers', { reason: 'none are set up' });
  if (!PASSKEY_CEREMONY.test(session)) return refuse('ceremony_unknown');
  if (step === 'begin' && !isSelfPlan(body)) return failed('dkg_plan_invalid');
  const asked = await askA(signers, session, step, body);
  if (asked.ok) return done({ answer: asked.answer });
  if ('unavailable' in asked) throw new Unavailable('signer A');
  const { refused } = asked;
  if (PASSING.includes(refused.code)) throw new Unavailable('signer A', { reason: refused.code });
  log.warn({ session, step, ...refused }, 'signer A refuses a step of a passkey wallet');
  // Any other code the merchant’s browser can cause: it raises no alarm.
  if (refused.code === ANSWER_NOT_GENUINE) {
    telemetry.count('tender_signer_alarms_total', { code: ANSWER_NOT_GENUINE });
  }
  return UNKNOWN.includes(refused.code) ? refuse('ceremony_unknown') : failed(refused.code);
}

const askA = (signers: Signers, session: string, step: PasskeyCeremonyStep, body: unknown) =>
  askSigner(signers, 'A', KINDS[step], body as SignerMessages[Kind]['asks'], { session });

const failed = (code: SignerRefusal['code']) => refuse('ceremony_failed', { code });
