import { signMessage, type Operation, type Roster, type Signed } from '@tender/threshold';
import { base58, base64 } from '@tender/transactions';
import { EXAMPLE_RECOVERY_KEY } from './settings/example-recovery-key';
import { recoveryProcess } from './testing/recovery-process';
import { SignerStage } from './testing/signer-stage';
import {
  freshSession, paidIn, Transfers, type Credited,
} from '../../../tools/attack/src/stage';

const USDC = 1_000_000n;
const CREDIT = 50_000n * USDC;
/** Past every blockhash of before. */
const BLOCKS_TO_DEATH = 250;

let stage: SignerStage;
let roster: Roster;
let refunds: Transfers;
let credited: Credited;
beforeAll(async () => {
  stage = await SignerStage.open();
  await openWallet();
});
afterAll(() => stage.close());

/** Another wallet, with money that a customer paid in: what is done to it is done to no other. */
async function openWallet(): Promise<void> {
  const { A, B } = { A: stage.identityKey('A'), B: stage.identityKey('B') };
  roster = await stage.treasury.openWallet({ A, B });
  refunds = await Transfers.of(stage.chain, roster);
  credited = await paidIn(stage.chain, roster.wallet, CREDIT);
}

const told = (role: 'A' | 'B', kind: string, body: unknown, session?: string) =>
  stage.treasury.told(role, kind, body, session);
const observed = (operation_id: string) =>
  Promise.all((['A', 'B'] as const).map((role) => told(role, 'observe', { operation_id })));
const bothAre = (state: string | null) => [{ state }, { state }];
const signedOrTold = async (op: Operation) =>
  stage.treasury.sign(roster, op, await refunds.message(op));
const described = (role: 'A' | 'B') => told(role, 'describe', { wallet: roster.wallet });

test('a refund lands, is seen as settled, and is never signed again', async () => {
  const op = refunds.operation(credited, USDC);
  const message = await refunds.message(op);
  expect(await observed(op.id)).toEqual(bothAre(null));
  const signature = await stage.treasury.sign(roster, op, message);
  if (typeof signature === 'string') throw new Error(signature);
  expect(await observed(op.id)).toEqual(bothAre('share_out'));
  await refunds.send(op, message, signature);
  expect(await stage.chain.usdcBalance(credited.customer.publicKey)).toBe(USDC);
  await stage.chain.finalize();
  expect(await observed(op.id)).toEqual(bothAre('settled'));
  expect(await signedOrTold(op)).toBe('A: op_already_settled');
  expect(await described('A')).toEqual({ frozen: false, day_limit_cents: 1_000_000, day_used_cents: 100 });
});

test('a share is given once for a session', async () => {
  const op = refunds.operation(credited, USDC);
  const session = freshSession();
  const message = await refunds.message(op);
  const commits = await stage.treasury.propose(op, message, session);
  expect(await stage.treasury.propose(op, message, session)).toBe('A: session_used');
  expect(await told('A', 'sign', { commits }, session)).toMatchObject({ share: expect.any(String) });
  expect(await told('A', 'sign', { commits }, session)).toBe('nonce_already_consumed');
  expect(await told('A', 'propose', { op, message: base64(message) }, session)).toBe('session_used');
});

test('the same operation over another blockhash waits until the first cannot land', async () => {
  const before = await stage.chain.usdcBalance(credited.customer.publicKey);
  const op = refunds.operation(credited, USDC);
  const first = await refunds.message(op);
  expect(await stage.treasury.sign(roster, op, first)).toBeInstanceOf(Uint8Array);
  await stage.chain.call('localnet_warpSlots', { slots: 2 });
  expect(await signedOrTold(op)).toBe('A: op_already_in_flight');
  await stage.chain.call('localnet_warpSlots', { slots: 100 });
  expect(await observed(op.id)).toEqual(bothAre('share_out'));
  await stage.chain.call('localnet_warpSlots', { slots: BLOCKS_TO_DEATH });
  expect(await observed(op.id)).toEqual(bothAre('released'));
  const again = await refunds.message(op);
  const signature = await stage.treasury.sign(roster, op, again);
  await refunds.send(op, again, signature as Uint8Array);
  expect(await stage.chain.usdcBalance(credited.customer.publicKey)).toBe(before + USDC);
});

test('what failed on the chain is seen as failed', async () => {
  const op = refunds.operation(credited, USDC);
  const message = await refunds.message(op);
  const signature = await stage.treasury.sign(roster, op, message);
  const balance = { address: roster.wallet, token: 'USDC' };
  await stage.chain.call('localnet_setTokenBalance', { ...balance, amount: '0' });
  await refunds.send(op, message, signature as Uint8Array);
  await stage.chain.finalize();
  await stage.chain.call('localnet_setTokenBalance', { ...balance, amount: String(CREDIT) });
  expect(await observed(op.id)).toEqual(bothAre('failed_on_chain'));
});

test('a signer whose node does not answer signs nothing, and releases nothing', async () => {
  const op = refunds.operation(credited, USDC);
  const message = await refunds.message(op);
  expect(await stage.treasury.sign(roster, op, message)).toBeInstanceOf(Uint8Array);
  await stage.chain.call('localnet_warpSlots', { slots: BLOCKS_TO_DEATH });
  const next = refunds.operation(credited, USDC);
  const next_message = await refunds.message(next);
  await stage.chain.call('localnet_failRpc', { method: 'getSignaturesForAddress', count: 2 });
  expect(await observed(op.id)).toEqual(bothAre('share_out'));
  await stage.chain.call('localnet_failRpc', { method: 'getTransaction', count: 1 });
  expect(await stage.treasury.sign(roster, next, next_message)).toBe('A: evidence_unavailable');
  await stage.chain.call('localnet_failRpc', { method: 'isBlockhashValid', count: 1 });
  expect(await stage.treasury.sign(roster, next, next_message)).toBe('A: evidence_unavailable');
  expect(await stage.treasury.sign(roster, next, next_message)).toBeInstanceOf(Uint8Array);
});

test('S47: of forty at once, as many are signed as the limit of the day allows', async () => {
  await openWallet();
  const ops = Array.from({ length: 40 }, () => refunds.operation(credited, 1_000n * USDC));
  const messages = await Promise.all(ops.map((op) => refunds.message(op)));
  const signed = await Promise.all(
    ops.map((op, at) => stage.treasury.sign(roster, op, messages[at] as Uint8Array)),
  );
  const refused = signed.filter((one) => typeof one === 'string');
  expect(new Set(refused)).toEqual(new Set(['A: day_limit_exceeded']));
  expect(refused).toHaveLength(30);
  const full = { frozen: false, day_limit_cents: 1_000_000, day_used_cents: 1_000_000 };
  expect([await described('A'), await described('B')]).toEqual([full, full]);
  await openWallet();
});

test('S48: the same operation many times at once gets one share of each signer', async () => {
  const op = refunds.operation(credited, USDC);
  const message = await refunds.message(op);
  const signed = await Promise.all(
    Array.from({ length: 20 }, () => stage.treasury.sign(roster, op, message)),
  );
  expect(signed.filter((one) => typeof one !== 'string').length).toBeLessThanOrEqual(1);
  const { rows } = await stage.ledger('A').query(
    `select count(*)::int as burned from journal where what = 'burned' and operation_id = $1`,
    [op.id],
  );
  expect(rows[0].burned).toBeLessThanOrEqual(1);
});

test('S47: a frozen wallet signs nothing, not even what was proposed before', async () => {
  await openWallet();
  const op = refunds.operation(credited, USDC);
  const session = freshSession();
  const commits = await stage.treasury.propose(op, await refunds.message(op), session);
  const frozen = await told('B', 'freeze', { wallet: roster.wallet, reason: 'a test' });
  expect(frozen).toEqual({ frozen: true });
  expect(await told('B', 'sign', { commits }, session)).toBe('wallet_frozen');
  const other = refunds.operation(credited, USDC);
  expect(await signedOrTold(other)).toBe('B: wallet_frozen');
  expect(await described('B')).toMatchObject({ frozen: true });
  for (const kind of ['thaw', 'raise_limit', 'constructor']) {
    expect(await told('B', kind, { wallet: roster.wallet })).toBe('kind_unknown');
  }
  const unproven = { wallet: roster.wallet, day_limit_cents: 1, proof: null };
  for (const kind of ['unfreeze', 'limit']) {
    expect(await told('B', kind, unproven)).toBe('passkey_signature_malformed');
  }
  await openWallet();
});

test('a session that took too long, and an operation that has expired, get no share', async () => {
  const op = refunds.operation(credited, USDC);
  const session = freshSession();
  const commits = await stage.treasury.propose(op, await refunds.message(op), session);
  stage.ahead_ms = 16_000;
  try {
    const reserved = await described('A');
    expect(await told('A', 'sign', { commits }, session)).toBe('signer_session_expired');
    expect(await observed(op.id)).toEqual(bothAre('released'));
    const { day_used_cents } = reserved as { day_used_cents: number };
    expect(await described('A')).toMatchObject({ day_used_cents: day_used_cents - 100 });
    stage.ahead_ms = 151_000;
    expect(await stage.treasury.sign(roster, op, await refunds.message(op))).toBe('A: op_expired');
  } finally {
    stage.ahead_ms = 0;
  }
});

describe('a share is not computed of', () => {
  const changed = (signed: Signed, change: object): Signed => ({
    ...signed,
    message: { ...signed.message, body: { ...(signed.message.body as object), ...change } },
  });
  const proposed = async (session = freshSession()) => {
    const op = refunds.operation(credited, USDC);
    const commits = await stage.treasury.propose(op, await refunds.message(op), session);
    if (typeof commits === 'string') throw new Error(commits);
    return { session, commits: commits as [Signed, Signed] };
  };
  test.each<[string, string, (commits: [Signed, Signed], others: [Signed, Signed]) => unknown]>([
    ['one commitment', 'quorum_member_invalid', ([a]) => [a]],
    ['the own commitment twice', 'quorum_member_invalid', ([a]) => [a, a]],
    ['a third one', 'quorum_member_invalid', ([a, b]) => [a, b, b]],
    ['none', 'quorum_member_invalid', () => null],
    ['a changed own one', 'own_commitment_missing', ([a, b]) => [changed(a, { hiding: 'x' }), b]],
    ['a changed one of the peer', 'peer_signature_invalid', ([a, b]) => [
      a,
      changed(b, { hiding: 'x' }),
    ]],
    ['one of the peer that the own key signed', 'peer_signature_invalid', ([a]) => [
      a,
      { ...a, message: { ...a.message, from: 'B' } },
    ]],
    ['an own one that another key signed', 'own_commitment_missing', ([a, b]) => [
      { ...a, signature: b.signature },
      b,
    ]],
    ['one of another session of the peer', 'session_binding_mismatch', ([a], [, b]) => [a, b]],
    ['an own one of another session', 'session_binding_mismatch', ([, b], [a]) => [a, b]],
  ])('%s', async (_, code, pick) => {
    const { session, commits } = await proposed();
    const others = await proposed();
    expect(await told('A', 'sign', { commits: pick(commits, others.commits) }, session)).toBe(code);
    // The session is over, whatever is asked next.
    expect(await told('A', 'sign', { commits }, session)).toBe('session_unknown');
  });
});

test('a commitment to the same bytes in another session is none of this one', async () => {
  const op = refunds.operation(credited, USDC);
  const message = await refunds.message(op);
  const before = await stage.treasury.propose(op, message);
  const session = freshSession();
  const [own] = await stage.treasury.propose(op, message, session);
  const commits = [own, before[1]];
  expect(await told('A', 'sign', { commits }, session)).toBe('session_binding_mismatch');
});

test('an operation that expires while it is signed gets no share', async () => {
  const op = refunds.operation(credited, USDC);
  const session = freshSession();
  const message = await refunds.message(op);
  // Less is left of it than a session takes.
  stage.ahead_ms = 46_000;
  try {
    const commits = await stage.treasury.propose(op, message, session);
    stage.ahead_ms = 151_000;
    expect(await told('A', 'sign', { commits }, session)).toBe('op_expired');
  } finally {
    stage.ahead_ms = 0;
  }
});

test('what is asked of shares of another epoch is refused', async () => {
  const op = refunds.operation(credited, USDC);
  const body = { op, message: base64(await refunds.message(op)) };
  const { message } = stage.treasury.signed('A', 'propose', body, freshSession());
  const answer = await stage.treasury.post(
    'A',
    signMessage(stage.treasury.identity, { ...message, epoch: 2 }),
  );
  expect(answer).toMatchObject({ message: { kind: 'refused', body: { code: 'epoch_mismatch' } } });
});

test('a message over a blockhash that cannot be used any more is not reserved', async () => {
  const op = refunds.operation(credited, USDC);
  const message = await refunds.message(op);
  await stage.chain.call('localnet_warpSlots', { slots: BLOCKS_TO_DEATH });
  expect(await stage.treasury.sign(roster, op, message)).toBe('A: blockhash_not_valid');
  expect(await observed(op.id)).toEqual(bothAre(null));
});

test('S46: bytes that pay another than the operation says are refused, and nothing is reserved', async () => {
  const op = refunds.operation(credited, USDC);
  const message = await refunds.message({ ...op, amount: String(2n * USDC) });
  expect(await stage.treasury.sign(roster, op, message)).toBe('A: tx_amount_mismatch');
  expect(await observed(op.id)).toEqual(bothAre(null));
});

test('nothing is signed for a wallet that no ceremony has made here', async () => {
  const unlisted = { ...refunds.operation(credited, USDC), wallet: stage.identityKey('A') };
  const message = await refunds.message(unlisted);
  expect(await stage.treasury.sign(roster, unlisted, message)).toBe('A: wallet_unknown');
  expect(await observed(unlisted.id)).toEqual(bothAre(null));
});

test('S47: refunds of one credit are at most the credit', async () => {
  const small = await paidIn(stage.chain, roster.wallet, 3n * USDC);
  const first = refunds.operation(small, 2n * USDC);
  expect(await signedOrTold(first)).toBeInstanceOf(Uint8Array);
  const second = refunds.operation(small, 2n * USDC);
  expect(await signedOrTold(second)).toBe('A: credit_exceeded');
  const absent = refunds.operation({ ...small, credit: base58(Buffer.alloc(64, 7)) }, USDC);
  expect(await signedOrTold(absent)).toBe('A: credit_not_found');
});

test('a share for disasters is made by a process that ends with its ceremony', async () => {
  const keys = { A: stage.identityKey('A'), B: stage.identityKey('B') };
  const recovery = await recoveryProcess(EXAMPLE_RECOVERY_KEY);
  const made = await stage.treasury.openWallet(keys, {}, { ...recovery, end: recovery.ended });
  expect(made.recovery?.sealed_to).toBe(EXAMPLE_RECOVERY_KEY);
  expect(made.parties.map(({ role, holder }) => [role, holder])).toEqual([
    ...[['A', 'tender'], ['B', 'tender'], ['R', 'offline']],
  ]);
  const other = Buffer.alloc(32, 9).toString('base64');
  await expect(
    stage.treasury.openWallet(keys, {}, await recoveryProcess(other)),
  ).rejects.toThrow('dkg_recovery_mismatch');
});

test('a ceremony with an identity that is not pinned is refused', async () => {
  const keys = { A: stage.identityKey('A'), B: stage.treasury.identity.public_key };
  await expect(stage.treasury.openWallet(keys)).rejects.toThrow('A: dkg_plan_invalid');
});

describe('S45: a signer does not answer', () => {
  test.each<[string, (message: Signed) => unknown]>([
    ['what is not signed', ({ message }) => ({ message })],
    ['what was changed after it was signed', (signed) => ({
      ...signed,
      message: { ...signed.message, body: { wallet: 'another' } },
    })],
    ['what is signed for the other signer', () =>
      stage.treasury.signed('B', 'describe', { wallet: roster.wallet }, freshSession())],
    ['what is no message', () => 'hello'],
    ['what is too long', (signed) => ({ ...signed, padding: 'x'.repeat(70_000) })],
  ])('%s', async (_, make) => {
    const about = { wallet: roster.wallet };
    const signed = stage.treasury.signed('A', 'describe', about, freshSession());
    expect(await stage.treasury.post('A', make(signed))).toBe(401);
  });

  test('a request for another path', async () => {
    for (const path of ['/', '/metrics', '/messages']) {
      const answer = await fetch(`${stage.signer('A').url}${path}`);
      expect([answer.status, await answer.text()]).toEqual([401, '']);
    }
    expect((await fetch(`${stage.signer('A').url}/healthz`)).status).toBe(200);
  });
});

test('S49: the share that is kept is sealed, and no table holds a secret of the signing', async () => {
  const op = refunds.operation(credited, USDC);
  expect(await signedOrTold(op)).toBeInstanceOf(Uint8Array);
  const { rows } = await stage.ledger('A').query(
    'select sealed_share from wallets where address = $1',
    [roster.wallet],
  );
  expect(Object.keys(rows[0].sealed_share)).not.toContain('secret');
});
