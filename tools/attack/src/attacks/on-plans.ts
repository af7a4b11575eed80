import { randomBytes } from 'node:crypto';
import { peerOf } from '@tender/signer-features';
import { identityOf, type CeremonyPlan, type HostedRole } from '@tender/threshold';
import { atEach, ofArea, type Attack, type Row } from '../attack';
import { planOf } from '../stage/ceremony-plan';
import { giveUp } from '../stage/hold-ceremony';
import { freshSession } from '../stage/treasury-double';
import type { Target } from '../stage/target';

/** What a signer takes part in at once, and one more. */
const TOO_MANY = 5;

/** The last answer to messages in one session, which is given up then. */
async function lastOf(
  { ask, field }: Target,
  role: HostedRole,
  ...messages: readonly (readonly [kind: string, body: unknown])[]
): Promise<string> {
  const session = freshSession();
  let word = '';
  try {
    for (const [kind, body] of messages) word = await ask(role, kind, body, session);
    return word;
  } finally {
    await giveUp(field.treasury, session);
  }
}

const planned = (
  name: string,
  make: (target: Target, role: HostedRole, stranger: string) => CeremonyPlan,
): Row => [
  ...(['dkg_plan_invalid', name] as const),
  (target) =>
    atEach((role) => {
      const stranger = identityOf(randomBytes(32)).public_key;
      return lastOf(target, role, ['ceremony.begin', make(target, role, stranger)]);
    }),
];

const steps = (
  expects: string,
  name: string,
  ...messages: readonly (readonly [string, object | null])[]
): Row => [
  ...([expects, name] as const),
  (target) =>
    atEach((role) => {
      const plan = planOf(target.field.identity_keys);
      const all = messages.map(([kind, body]) => [kind, body ?? plan] as const);
      return lastOf(target, role, ...all);
    }),
];

/** Ceremonies that are begun and not gone on with. */
async function tooMany({ ask, field }: Target, role: HostedRole): Promise<string> {
  const sessions = Array.from({ length: TOO_MANY }, freshSession);
  const plan = planOf(field.identity_keys);
  let word = '';
  for (const session of sessions) word = await ask(role, 'ceremony.begin', plan, session);
  for (const session of sessions) await giveUp(field.treasury, session);
  return word;
}

export const onPlans: readonly Attack[] = ofArea(
  'ceremonies',
  planned('an identity of the peer that is not pinned', ({ field }, role, stranger) =>
    planOf({ ...field.identity_keys, [peerOf(role)]: stranger }),
  ),
  planned('another identity of the signer itself', ({ field }, role, stranger) =>
    planOf({ ...field.identity_keys, [role]: stranger }),
  ),
  planned('a settlement wallet that is no address', ({ field }) =>
    planOf(field.identity_keys, { settlement_wallet: 'mine' }),
  ),
  planned('no plan', () => null as never),
  steps('session_used', 'two ceremonies of one session', ...[
    ...([['ceremony.begin', null], ['ceremony.begin', null]] as const),
  ]),
  steps('session_unknown', 'the second round of no ceremony', ['ceremony.round-2', {}]),
  steps('dkg_out_of_order', 'the third round before the second', ...[
    ...([['ceremony.begin', null], ['ceremony.round-3', { round2: [] }]] as const),
  ]),
  [
    'ceremony_busy',
    'more ceremonies than a signer takes part in',
    (target) => atEach((role) => tooMany(target, role)),
  ],
);
