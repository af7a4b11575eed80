import { randomBytes } from 'node:crypto';
import { sponsorPays } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import type { SponsoredOutcome } from '@tender/treasury-domain';
import { keepBooked, settle, type Spending } from '../spending/spending.record';
import { treasuryHouse } from '../testing/treasury-stage';
import { keyInMemory } from '../fee-key';

const DAY_MS = 86_400_000;
const [sponsor, BALANCE] = [keyInMemory(randomBytes(32)), 100_000_000n];
/** The dearest payment that makes no account: two signatures, and the highest price. */
const HIGHEST_FEE = 60_000n;
const clock = { ms: Date.now(), now: () => clock.ms, wall: () => clock.ms };
/** Nothing is in flight unless a test says so: only balances are asked for. */
const chain = { network: 'localnet', accounts: async () => [{ lamports: BALANCE }] };

let house: Awaited<ReturnType<typeof treasuryHouse>>;
beforeAll(async () => {
  house = await treasuryHouse();
});
afterAll(() => house.close());

async function opened(lamports_day: bigint): Promise<ContextStage> {
  const chains = { test: chain, live: chain } as never;
  const stage = await house.open({ ports: { chains, clock }, sponsor, quotas: { lamports_day } });
  await stage.runtime.readModels.query('delete from treasury.spending');
  return stage;
}

async function pays({ runtime }: ContextStage): Promise<boolean> {
  const asking = { mode: 'test', correlation_id: runtime.random.uuid() } as const;
  return (await runtime.calls.ask(sponsorPays, {}, asking)).pays;
}

/** One transaction that ended so, now. */
async function spend({ runtime }: ContextStage, lamports: bigint, outcome: SponsoredOutcome) {
  const spending: Spending = {
    ...{ mode: 'test', payment_id: randomBytes(8).toString('hex'), message_hash: 'hash' },
    ...{ merchant_id: 'm', customer_wallet: 'w', address_hash: 'a', source_account: 's' },
    ...{ made_account: null, lamports, last_valid_block_height: 1 },
  };
  await keepBooked(runtime.readModels, spending, clock.ms);
  const end = { outcome, fee: lamports, at_ms: clock.ms };
  await settle(runtime.readModels, spending, end);
}

test('fees are paid while the dearest payment fits into what is left of the day, and again a day later', async () => {
  const stage = await opened(1_000_000n);
  await spend(stage, 1_000_000n - HIGHEST_FEE, 'landed');
  expect(await pays(stage)).toBe(true);
  await spend(stage, 1n, 'landed');
  expect(await pays(stage)).toBe(false);
  clock.ms += DAY_MS - 1;
  expect(await pays(stage)).toBe(false);
  clock.ms += 1;
  expect(await pays(stage)).toBe(true);
});

test('what never landed uses up nothing of the day', async () => {
  const stage = await opened(1_000_000n);
  await spend(stage, 1_000_000n, 'dropped');
  expect(await pays(stage)).toBe(true);
});

test('a day that allows no fee at all pays none', async () => {
  expect(await pays(await opened(0n))).toBe(false);
});
