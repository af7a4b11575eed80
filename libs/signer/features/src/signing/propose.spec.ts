import type { Nonces, Operation } from '@tender/threshold';
import { base58, base64 } from '@tender/transactions';
import type { SignerParts } from '../service/ports';
import type { Ask } from '../service/reply';
import { propose } from './propose';
import { SESSION_MS, SigningSessions, type SigningSession } from './signing-sessions';

const NOW_MS = 1_790_000_000_000;
/** As many as a signer keeps open. */
const SESSIONS_MAX = 1_000;
const addressOf = (byte: number): string => base58(new Uint8Array(32).fill(byte));
const [wallet, to] = [addressOf(1), addressOf(2)];
const op: Operation = {
  ...{ v: 1, id: 'refund-1', type: 'refund', mode: 'test', wallet, to, asset: 'USDC', amount: '1' },
  ...{ credit: base58(new Uint8Array(64).fill(3)), exp: NOW_MS + 60_000 },
};
const ask = {
  ...{ v: 1, kind: 'propose', session: 'session-1', from: 'treasury', to: 'A', epoch: 1 },
  body: { op, message: base64(new Uint8Array([1])) },
} as Ask<'propose'>;

/** Neither its ledger nor its node is there to be asked. */
const parts = { clock: { wall: () => NOW_MS }, rules: {} } as unknown as SignerParts;

function opened(count: number): { sessions: SigningSessions; erased: () => number } {
  const sessions = new SigningSessions();
  let erased = 0;
  for (let number = 0; number < count; number += 1) {
    const nonces = { erase: () => (erased += 1) } as unknown as Nonces;
    const ends_ms = NOW_MS + SESSION_MS;
    sessions.add({ session: `other-${number}`, ends_ms, nonces } as SigningSession);
  }
  return { sessions, erased: () => erased };
}

test('with too many signatures under way none is begun, and nothing is looked up for it', async () => {
  const { sessions } = opened(SESSIONS_MAX);
  expect(await propose(parts, sessions, ask)).toMatchObject({ refused: 'sessions_busy' });
});

test('one less leaves room', async () => {
  const { sessions } = opened(SESSIONS_MAX - 1);
  expect(await propose(parts, sessions, ask)).toMatchObject({ refused: 'tx_not_canonical' });
});

test('those that were never signed make room once they end, and their nonces are zeroed', () => {
  const { sessions, erased } = opened(SESSIONS_MAX);
  expect(sessions.hasRoom(NOW_MS + SESSION_MS)).toBe(false);
  expect(sessions.hasRoom(NOW_MS + SESSION_MS + 1)).toBe(true);
  expect(erased()).toBe(SESSIONS_MAX);
});
