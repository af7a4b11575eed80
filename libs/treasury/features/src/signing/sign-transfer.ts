import type { Runtime, Signers } from '@tender/eventing';
import { base64 } from '@tender/transactions';
import {
  aggregate,
  HOSTED_QUORUM,
  intentDigest,
  SigningFault,
  type HostedRole,
  type MessageKind,
  type Operation,
  type Role,
  type SignedRoster,
  type SignerMessages,
} from '@tender/threshold';
import type { OpenWallet, RunningSigner, SignerAlarm } from '@tender/treasury-domain';
import { isAlarm } from './alarm-codes';
import {
  ANSWER_NOT_GENUINE,
  askSigner,
  type AnswerTo,
  type SignerRefusal,
} from './ask-signer';
import { raiseAlarms } from './raise-alarms';

/** What came of having one message signed. */
export type Signing =
  /** 64 bytes, as the chain verifies them. */
  | { readonly ok: true; readonly signature: Uint8Array }
  | { readonly ok: false; readonly refused: Omit<SignerRefusal, 'culprit'> }
  /** Whether a signer has reserved, or given its share, is for `observe` to tell. */
  | { readonly ok: false; readonly unavailable: true };

type Answers<Kind extends MessageKind> = Readonly<Record<HostedRole, AnswerTo<Kind>>>;
type Round<Kind extends MessageKind> =
  | { readonly ok: true; readonly answers: Answers<Kind> }
  | { readonly ok: false; readonly refusals: readonly SignerRefusal[]; readonly silent: boolean };

/** Has both signers judge an operation and sign its message: proposed to both at once, then signed by both. */
export async function signTransfer(
  runtime: Runtime,
  wallet: OpenWallet,
  op: Operation,
  message: Uint8Array,
): Promise<Signing> {
  const { signers, random } = runtime;
  if (signers === null) return { ok: false, unavailable: true };
  const { roster } = wallet.roster as SignedRoster;
  const session = { session: random.bytes(16).toString('hex'), epoch: roster.epoch };
  const ask = <Kind extends 'propose' | 'sign'>(kind: Kind, body: SignerMessages[Kind]['asks']) =>
    askBoth(signers, kind, body, session, intentDigest(op, message));
  const proposed = await ask('propose', { op, message: base64(message) });
  if (!proposed.ok) return failed(runtime, wallet, op, proposed);
  const commits = proposed.answers;
  const signed = await ask('sign', { commits: [commits.A, commits.B] });
  if (!signed.ok) return failed(runtime, wallet, op, signed);
  try {
    const { A, B } = signed.answers;
    const shares = { A: A.message.body.share, B: B.message.body.share };
    const nonces = { A: commits.A.message.body, B: commits.B.message.body };
    return { ok: true, signature: aggregate(roster, nonces, shares, message) };
  } catch (error) {
    if (!(error instanceof SigningFault)) throw error;
    const { code, culprit } = error;
    const refusals = [faulty(code, culprit)];
    return failed(runtime, wallet, op, { ok: false, silent: false, refusals });
  }
}

/** Both answer for this very intent, or nothing goes on. */
async function askBoth<Kind extends 'propose' | 'sign'>(
  signers: Signers,
  kind: Kind,
  body: SignerMessages[Kind]['asks'],
  session: { readonly session: string; readonly epoch: number },
  intent_digest: string,
): Promise<Round<Kind>> {
  const asked = await Promise.all(
    HOSTED_QUORUM.map((role) => askSigner(signers, role, kind, body, session)),
  );
  const refusals = asked.flatMap((one, index) => {
    if ('refused' in one) return [one.refused];
    if (!one.ok || one.answer.message.body?.intent_digest === intent_digest) return [];
    return [faulty('session_binding_mismatch', HOSTED_QUORUM[index] as HostedRole)];
  });
  const silent = asked.some((one) => 'unavailable' in one);
  const [A, B] = asked;
  if (refusals.length > 0 || !A?.ok || !B?.ok) return { ok: false, refusals, silent };
  return { ok: true, answers: { A: A.answer, B: B.answer } };
}

/** A signer that answers with what does not fit is at fault itself. */
const faulty = (code: string, culprit: Role | null): SignerRefusal => ({
  ...{ role: culprit ?? 'A', code, culprit },
  reason: `what ${culprit ?? 'a signer'} has answered does not fit`,
});

/** Tells of alarms first: whatever the transfer does next, they are kept. */
async function failed(
  runtime: Runtime,
  wallet: OpenWallet,
  { mode, id }: Operation,
  { refusals, silent }: Extract<Round<MessageKind>, { ok: false }>,
): Promise<Signing> {
  const alarms = refusals
    .filter(({ code }) => isAlarm(code))
    .map(({ role, code }): SignerAlarm => ({ role: role as RunningSigner, code }));
  if (alarms.length > 0) await raiseAlarms(runtime, { mode, wallet, operation_id: id }, alarms);
  // What came from elsewhere says nothing of what the signer has done.
  const own = refusals.filter(({ code }) => code !== ANSWER_NOT_GENUINE);
  const told = own.find(({ code }) => isAlarm(code)) ?? own[0];
  if (!told) return { ok: false, unavailable: true };
  const { role, code, reason } = told;
  runtime.log.warn({ operation_id: id, silent, ...told }, 'a transfer is not signed');
  return { ok: false, refused: { role, code, reason } };
}
