import {
  HOSTED_QUORUM,
  isSignedBy,
  type Commit,
  type Commitments,
  type Envelope,
  type HostedRole,
  type Signed,
} from '@tender/threshold';
import { peerOf, type SignerParts } from '../service/ports';
import { refuse, type Refusal } from '../service/reply';
import type { SigningSession } from './signing-sessions';

type SignedCommit = Signed<Envelope<'propose', Commit>>;

/**
 * The commitments that a share is computed from: exactly those of A and B, each signed by its signer, of this session,
 * this intent and this epoch, with the own one as it was given.
 */
export function commitmentsOf(
  parts: SignerParts,
  { session, epoch, commit }: SigningSession,
  asked: unknown,
): Commitments | Refusal {
  const commits = byRole(asked);
  if (commits === null) return refuse('quorum_member_invalid', 'exactly A and B sign, each once');
  const own = commits[parts.role];
  if (!isSignedBy(own, parts.identity.public_key)) {
    return refuse('own_commitment_missing', 'the commitment of this signer is not the one it gave');
  }
  const peer = peerOf(parts.role);
  if (!isSignedBy(commits[peer], parts.peer_identity)) {
    return refuse('peer_signature_invalid', `the commitment is not signed by ${peer}`, peer);
  }
  for (const { message } of [own, commits[peer]]) {
    const { kind, body } = message;
    const bound = message.session === session && message.epoch === epoch && kind === 'propose';
    if (!bound || body.intent_digest !== commit.intent_digest) {
      return refuse('session_binding_mismatch', 'a commitment is of another session, epoch or intent');
    }
  }
  if (own.message.body.hiding !== commit.hiding || own.message.body.binding !== commit.binding) {
    return refuse('own_commitment_missing', 'the commitment of this signer is not the one it gave');
  }
  return Object.fromEntries(
    HOSTED_QUORUM.map((role) => {
      const { hiding, binding } = commits[role].message.body;
      return [role, { hiding, binding }];
    }),
  );
}

/** Read as far as is needed to find whose each is; who has signed it is checked above. */
function byRole(asked: unknown): Record<HostedRole, SignedCommit> | null {
  if (!Array.isArray(asked) || asked.length !== HOSTED_QUORUM.length) return null;
  const found = HOSTED_QUORUM.map((role) => [
    role,
    asked.find((one: { message?: { from?: unknown } } | null) => one?.message?.from === role),
  ]);
  return found.every(([, commit]) => commit) ? Object.fromEntries(found) : null;
}
