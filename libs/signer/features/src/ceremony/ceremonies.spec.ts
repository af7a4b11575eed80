import { randomUUID } from 'node:crypto';
import { identityOf, type CeremonyPlan } from '@tender/threshold';
import { ceremonyTable, selfTable } from '@tender/threshold/testing';
import type { Ask } from '../service/reply';
import { Ceremonies } from './ceremonies';

const identity = identityOf(Buffer.alloc(32, 7));
const RECOVERY_KEY = Buffer.alloc(32, 9).toString('base64');

let now_ms: number;
let ceremonies: Ceremonies;
beforeEach(() => {
  now_ms = 0;
  const keep = async (): Promise<void> => undefined;
  const clock = { wall: () => now_ms };
  ceremonies = new Ceremonies({
    ...{ role: 'A', identity, pinned: {}, recovery_key: RECOVERY_KEY, keep, clock },
  });
});

/** With this signer in the place of A. */
const withOwn = (plan: CeremonyPlan): CeremonyPlan => {
  const parties = plan.parties.map((party) =>
    party.role === 'A' ? { ...party, identity_key: identity.public_key } : party,
  );
  return { ...plan, parties };
};
const [hosted, own] = [withOwn(ceremonyTable().plan), withOwn(selfTable().plan)];
const begin = async (plan: CeremonyPlan): Promise<'begun' | string> => {
  const ask = { session: randomUUID(), body: plan } as Ask<'ceremony.begin'>;
  const reply = await ceremonies.begin(ask);
  return 'refused' in reply ? reply.refused : 'begun';
};
/** Each of another merchant. */
const many = async (count: number, plan: CeremonyPlan): Promise<void> => {
  for (let begun = 0; begun < count; begun += 1) {
    expect(await begin({ ...plan, merchant_id: randomUUID() })).toBe('begun');
  }
};

test('merchants who go away from their set-up keep no operating wallet from being made', async () => {
  await many(16, own);
  expect(await begin(own)).toBe('ceremony_busy');
  await many(4, hosted);
  expect(await begin(hosted)).toBe('ceremony_busy');
});

test('a merchant who begins its own wallet again and again has one place, and others have the rest', async () => {
  for (let begun = 0; begun < 40; begun += 1) expect(await begin(own)).toBe('begun');
  await many(15, own);
  expect(await begin({ ...own, merchant_id: randomUUID() })).toBe('ceremony_busy');
  // Its newest one takes the place of the one before, also where all places are taken.
  expect(await begin(own)).toBe('begun');
  expect(await begin({ ...own, merchant_id: randomUUID() })).toBe('ceremony_busy');
});

test('what a merchant began before is over; a plan that is none takes nothing from it', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  await ceremonies.begin({ session: first, body: own } as Ask<'ceremony.begin'>);
  const bad = { ...own, parties: own.parties.slice(0, 2) };
  expect(await begin(bad)).toBe('dkg_plan_invalid');
  const step = (session: string) =>
    ceremonies.round2({ session, body: {} } as Ask<'ceremony.round-2'>);
  await ceremonies.begin({ session: second, body: own } as Ask<'ceremony.begin'>);
  expect(await step(first)).toMatchObject({ refused: 'session_unknown' });
  expect(await step(second)).not.toMatchObject({ refused: 'session_unknown' });
});

test('after a minute there is room again', async () => {
  await many(16, own);
  now_ms = 60_001;
  expect(await begin(own)).toBe('begun');
});
