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
const many = async (count: number, plan: CeremonyPlan): Promise<void> => {
  for (let begun = 0; begun < count; begun += 1) expect(await begin(plan)).toBe('begun');
};

test('merchants who go away from their set-up keep no operating wallet from being made', async () => {
  await many(16, own);
  expect(await begin(own)).toBe('ceremony_busy');
  await many(4, hosted);
  expect(await begin(hosted)).toBe('ceremony_busy');
});

test('after a minute there is room again', async () => {
  await many(16, own);
  now_ms = 60_001;
  expect(await begin(own)).toBe('begun');
});
