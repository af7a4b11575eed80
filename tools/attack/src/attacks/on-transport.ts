import { randomBytes } from 'node:crypto';
import { peerOf } from '@tender/signer-features';
import { identityOf, signMessage, type HostedRole, type Signed } from '@tender/threshold';
import { atEach, ofArea, type Attack, type Row } from '../attack';
import { wordOf } from '../stage/answer';
import { freshSession } from '../stage/treasury-double';
import type { Target } from '../stage/target';

/** Longer than any message of treasury. */
const LONG = 'x'.repeat(80_000);

const honest = (target: Target, to: HostedRole, more: object = {}, changes: object = {}): Signed =>
  target.field.treasury.signed(
    ...([to, 'describe', { wallet: target.wallet, ...more }, freshSession(), changes] as const),
  );

/** Told nothing: neither why, nor whether there is such a wallet. */
const unheard = (
  name: string,
  make: (target: Target, role: HostedRole) => unknown,
  path = '/messages',
): Row => [
  ...(['401', name] as const),
  (target) =>
    atEach(async (role) =>
      wordOf(await target.field.treasury.post(role, make(target, role), path)),
    ),
];

const asked = (
  expects: string,
  name: string,
  kind: string,
  body: unknown,
  session?: string,
): Row => [
  ...([expects, name] as const),
  (target) => atEach((role) => target.ask(role, kind, body, session)),
];

export const onTransport: readonly Attack[] = ofArea(
  'transport',
  unheard('a message that is not signed', (target, role) => ({
    message: honest(target, role).message,
  })),
  unheard('a message that was changed after it was signed', (target, role) => {
    const { message, signature } = honest(target, role);
    return { message: { ...message, body: { wallet: 'another' } }, signature };
  }),
  unheard('a message under a foreign identity', (target, role) =>
    signMessage(identityOf(randomBytes(32)), honest(target, role).message),
  ),
  unheard('a message for the other signer', (target, role) => honest(target, peerOf(role))),
  unheard('a message for all', (target, role) => honest(target, role, {}, { to: 'all' })),
  unheard('a message of treasury in the name of the peer', (target, role) =>
    honest(target, role, {}, { from: peerOf(role) }),
  ),
  unheard('a message with another field', (target, role) => ({ ...honest(target, role), more: 1 })),
  unheard('a good message that is too long', (target, role) =>
    honest(target, role, { padding: LONG }),
  ),
  unheard('no JSON', () => '{'),
  unheard('JSON that is no message', () => '"hello"'),
  unheard('nothing', () => ''),
  unheard('a good message on another path', (target, role) => honest(target, role), '/sign'),
  unheard('a good message on a path behind it', (target, role) => honest(target, role), '/messages/'),
  [
    '401',
    'what metrics or settings it has',
    (target) =>
      atEach(async (role) => {
        const { url } = target.field.signer(role);
        const answers = ['/', '/metrics', '/messages', '/wallets'].map((path) => fetch(url + path));
        const statuses = (await Promise.all(answers)).map(({ status }) => status);
        return [...new Set(statuses)].join();
      }),
  ],
  asked('kind_unknown', 'a message of no kind', 'export', {}),
  asked('kind_unknown', 'a message of a kind that every object has', 'constructor', {}),
  asked('kind_unknown', 'a message that only signers send', 'refused', {}),
  asked('session_malformed', 'a session that is too short', 'describe', {}, 'short'),
  asked('session_malformed', 'a session with spaces', 'describe', {}, 'a session of words'),
  asked('ask_malformed', 'a question about no wallet', 'describe', { wallet: 7 }),
  asked('op_malformed', 'a question about no operation', 'observe', { operation_id: 7 }),
);
