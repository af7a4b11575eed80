import { randomBytes, randomUUID } from 'node:crypto';
import { relayCeremony, signerAIdentity, type PasskeyCeremonyStep } from '@tender/contracts';
import { isOutage } from '@tender/eventing';
import {
  CeremonyParticipant,
  identityOf,
  rosterFault,
  type Roster,
  type Signed,
} from '@tender/threshold';
import { base64 } from '@tender/transactions';
import { RealSigners } from '../testing/real-signers';
import { walletsStage, type WalletsStage } from '../testing/wallets-stage';

const signers = new RealSigners();
let on: WalletsStage;
beforeAll(async () => {
  await signers.start();
  on = await walletsStage();
  await on.start({ signers });
});
beforeEach(() => {
  on.reset();
  signers.reset();
});
afterAll(async () => {
  await on?.close();
  await signers.stop();
});

const newSession = (): string => `passkey-${randomBytes(16).toString('hex')}`;

function relay(session: string, step: PasskeyCeremonyStep, body: unknown) {
  const asking = { mode: 'test', correlation_id: randomUUID(), command_id: randomUUID() } as const;
  return on.stage.runtime.calls.ask(relayCeremony, { session, step, body }, asking);
}

/** As accounts asks it; throws where it is refused. */
async function answered(
  session: string,
  step: PasskeyCeremonyStep,
  body: unknown,
): Promise<Signed> {
  const asked = await relay(session, step, body);
  if (!asked.ok) throw new Error(`${step}: ${asked.refusal} ${JSON.stringify(asked.details)}`);
  return asked.value.answer as Signed;
}

async function table() {
  const asking = { mode: 'test', correlation_id: randomUUID() } as const;
  const A = await on.stage.runtime.calls.ask(signerAIdentity, {}, asking);
  const fresh = { C: identityOf(randomBytes(32)), R: identityOf(randomBytes(32)) };
  const keys = { A: A!.identity_key, C: fresh.C.public_key, R: fresh.R.public_key };
  const plan = {
    ...{ merchant_id: randomUUID(), mode: 'all', settlement_wallet: null } as const,
    parties: (['A', 'C', 'R'] as const).map((role) => ({ role, identity_key: keys[role] })),
  };
  const session = newSession();
  const party = (role: 'C' | 'R') =>
    new CeremonyParticipant({ role, identity: fresh[role], session, plan, recovery_key: null });
  return { plan, session, party };
}

test('the released signer A makes a wallet with two parties that treasury does not know', async () => {
  const { plan, session, party } = await table();
  const [C, R] = [party('C'), party('R')];
  const round1 = [await answered(session, 'begin', plan), C.round1(), R.round1()];
  const from_a = await answered(session, 'round-2', { round1 });
  const { messages } = from_a.message.body as { readonly messages: readonly Signed[] };
  const dealt = [...messages, ...C.round2(round1), ...R.round2(round1)];
  const dealtTo = (role: string) => dealt.filter(({ message }) => message.to === role);
  const a3 = await answered(session, 'round-3', { round2: dealtTo('A') });
  const round3 = [a3, C.round3(dealtTo('C')), R.round3(dealtTo('R'))];
  const end = (await answered(session, 'finish', { round3 })).message.body;
  const { roster, roster_signature } = end as { roster: Roster; roster_signature: string };
  const own = { C: C.finish(round3), R: R.finish(round3) };
  const signatures = {
    ...{ A: roster_signature, C: own.C.roster_signature, R: own.R.roster_signature },
  };
  expect(rosterFault({ roster, signatures })).toBeNull();
  // It keeps one share, and gives none of it away.
  expect(await relay(session, 'finish', { round3 })).toMatchObject({ refusal: 'ceremony_unknown' });
});

test('it reaches no ceremony of an operating wallet', async () => {
  const { plan } = await table();
  for (const session of [randomBytes(16).toString('hex'), 'passkey-', `${newSession()}0`]) {
    expect(await relay(session, 'begin', plan)).toMatchObject({ refusal: 'ceremony_unknown' });
  }
  const [a, b, r] = [0, 0, 0].map(() => identityOf(randomBytes(32)).public_key);
  const keys = { A: a, B: b, R: r };
  const hosted = {
    ...{ ...plan, mode: 'test' },
    parties: (['A', 'B', 'R'] as const).map((role) => ({ role, identity_key: keys[role] })),
  };
  expect(await relay(newSession(), 'begin', hosted)).toMatchObject({
    ...{ refusal: 'ceremony_failed', details: { code: 'dkg_plan_invalid' } },
  });
});

test('a wrong message of the merchant’s browser ends its ceremony and raises no alarm', async () => {
  const { plan, session, party } = await table();
  const round1 = [await answered(session, 'begin', plan), party('C').round1(), party('R').round1()];
  const forged = { ...round1[1], signature: base64(randomBytes(64)) } as Signed;
  expect(await relay(session, 'round-2', { round1: [round1[0], forged, round1[2]] })).toMatchObject({
    ...{ refusal: 'ceremony_failed', details: { code: 'dkg_bad_signature' } },
  });
  expect(on.alarms).toEqual([]);
  expect(await relay(session, 'round-2', { round1 })).toMatchObject({ refusal: 'ceremony_unknown' });
});

test('a plan with another A than the pinned one is not begun', async () => {
  const { plan, session } = await table();
  const stranger = identityOf(randomBytes(32)).public_key;
  const [, ...own] = plan.parties;
  const parties = [{ role: 'A', identity_key: stranger }, ...own];
  expect(await relay(session, 'begin', { ...plan, parties })).toMatchObject({
    ...{ refusal: 'ceremony_failed', details: { code: 'dkg_plan_invalid' } },
  });
});

describe('with signers that a test may change', () => {
  beforeAll(() => on.start());

  test('an answer that signer A has not signed for this session is none, and alarms', async () => {
    const { plan, session } = await table();
    const other = await answered(session, 'begin', plan);
    on.signers.answers = () => other;
    expect(await relay(newSession(), 'begin', plan)).toMatchObject({
      ...{ refusal: 'ceremony_failed', details: { code: 'answer_not_genuine' } },
    });
    expect(on.alarms).toEqual([[{ code: 'answer_not_genuine' }, 1]]);
  });

  test('it is unavailable where signer A is silent, and where there are no signers', async () => {
    const { plan, session } = await table();
    on.signers.a.is_down = true;
    const silent = await relay(session, 'begin', plan).catch((error: unknown) => error);
    expect(isOutage(silent)).toBe(true);
    await on.start({ signers: null });
    const none = await relay(session, 'begin', plan).catch((error: unknown) => error);
    expect(isOutage(none)).toBe(true);
  });
});
