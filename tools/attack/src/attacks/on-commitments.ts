import { peerOf } from '@tender/signer-features';
import type { HostedRole, Signed } from '@tender/threshold';
import { atEach, ofArea, type Attack, type Row } from '../attack';
import { freshSession } from '../stage/treasury-double';
import type { Begun, Target } from '../stage/target';

/** What is brought to a signer in place of the two commitments. */
type Commits = (own: Signed, peer: Signed, others: { own: Signed; peer: Signed }) => unknown;

const changed = (signed: Signed, change: object): Signed => ({
  ...signed,
  message: { ...signed.message, body: { ...(signed.message.body as object), ...change } },
});
const as = (from: 'A' | 'B' | 'R', signed: Signed): unknown => ({
  ...signed,
  message: { ...signed.message, from },
});
const parted = ({ commits: [A, B] }: Begun, role: HostedRole) =>
  role === 'A' ? { own: A, peer: B } : { own: B, peer: A };

/** The commitments of a signature that was begun, and those of another one, mixed. */
const mixed = (
  expects: string,
  name: string,
  commits: Commits,
  other: (target: Target, begun: Begun) => Promise<Begun> = (target) => target.begun(),
): Row => [
  ...([expects, name] as const),
  (target) =>
    atEach(async (role) => {
      const first = await target.begun();
      const others = parted(await other(target, first), role);
      const { own, peer } = parted(first, role);
      return target.share(role, first, commits(own, peer, others));
    }),
];
const peerNameOf = ({ message }: Signed): 'A' | 'B' => peerOf(message.from as HostedRole);

/** The same operation and the same bytes once more. */
const again = async (target: Target, { op, message }: Begun): Promise<Begun> => {
  const session = freshSession();
  const commits = await target.field.treasury.propose(op, message, session);
  return { op, message, session, commits: commits as unknown as Begun['commits'] };
};

const MIXED: readonly Row[] = [
  mixed('quorum_member_invalid', 'one commitment', (own) => [own]),
  mixed('quorum_member_invalid', 'no commitments', () => null),
  mixed('quorum_member_invalid', 'one commitment in both roles', (own) => [own, own]),
  mixed('quorum_member_invalid', 'a third commitment', (own, peer) => [own, peer, peer]),
  mixed('quorum_member_invalid', 'R in place of the peer', (own, peer) => [own, as('R', peer)]),
  mixed('peer_signature_invalid', 'the own commitment in the name of the peer', (own, peer) => [
    ...[own, as(peerNameOf(own), { ...own, signature: peer.signature })],
  ]),
  mixed('peer_signature_invalid', 'a commitment of the peer that it has not signed', (own, peer) => [
    ...[own, changed(peer, { hiding: (own.message.body as { hiding: string }).hiding })],
  ]),
  mixed('own_commitment_missing', 'the own commitment changed', (own, peer) => [
    ...[changed(own, { hiding: (peer.message.body as { hiding: string }).hiding }), peer],
  ]),
  mixed('own_commitment_missing', 'an own commitment without a body', (own, peer) => [
    ...[{ message: { from: own.message.from } }, peer],
  ]),
  mixed('session_binding_mismatch', 'the peer’s commitment to another operation', (own, _, others) => [
    ...[own, others.peer],
  ]),
  mixed('session_binding_mismatch', 'the own commitment to another operation', (_, peer, others) => [
    ...[others.own, peer],
  ]),
  [
    'session_binding_mismatch',
    'the peer’s commitment to the same bytes in an earlier session',
    (target) =>
      atEach(async (role) => {
        const first = await target.begun();
        const second = await again(target, first);
        const commits = [parted(second, role).own, parted(first, role).peer];
        return target.share(role, second, commits);
      }),
  ],
];

export const onCommitments: readonly Attack[] = ofArea('sessions', ...MIXED);
