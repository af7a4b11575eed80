import { setTimeout as sleep } from 'node:timers/promises';
import { changeable, LOST, showing, withNothing, withoutStatuses } from '../testing/chain-doubles';
import { ask, described, ended, once, PayoutHouse, signed } from '../testing/payout-house';

const house = new PayoutHouse();
const seen = changeable(() => house.chain);
beforeAll(() => house.start());
afterEach(() => seen.look());
afterAll(() => house.close());

const statusOf = async (signature: string | null) =>
  (await house.chain.signatureStatuses([signature ?? ''])).statuses[0] ?? null;

/** So many looks later. */
async function looked(times: number, views: () => number): Promise<void> {
  const until = views() + times;
  while (views() < until) await sleep(20);
}

test('the chain is lost right after the send, and its blockhash is dead when it is back: found, signed once', async () => {
  const transfer = house.refund();
  const stage = await house.open(seen.chain);
  seen.look({
    send: async (bytes) => {
      await house.chain.send(bytes);
      seen.look(LOST);
    },
  });
  await ask(stage, transfer);
  const { signature } = await signed(stage, transfer);
  while ((await statusOf(signature))?.commitment !== 'finalized') await sleep(20);
  await house.killBlockhashes();
  expect(await described(stage, transfer)).toMatchObject({ status: 'processing' });
  seen.look();
  const state = await ended(stage, transfer);
  expect(state).toMatchObject({ status: 'completed', signature });
  expect(state.attempts).toHaveLength(1);
  expect(await house.tokens(transfer.to)).toBe(10_000_000n);
});

/** The chain drops its block, and none before, so that its blockhash lives; false: it was final. */
async function dropped(signature: string | null): Promise<boolean> {
  let landed = await statusOf(signature);
  for (; landed === null; landed = await statusOf(signature)) await sleep(5);
  const tip = (await house.local.control<{ slot: number }>('localnet_stats', {})).slot;
  const slots = tip - landed.slot + 1;
  if (slots > 30) return false;
  const fork = await house.local.control<{ dropped: string[] }>('localnet_rollback', { slots });
  return fork.dropped.includes(signature ?? '');
}

test('the chain drops a transaction that it had confirmed: the same bytes land again', async () => {
  const stage = await house.open();
  for (;;) {
    const transfer = house.refund();
    await ask(stage, transfer);
    const { signature } = await signed(stage, transfer);
    const is_dropped = await dropped(signature);
    const state = await ended(stage, transfer);
    expect(state).toMatchObject({ status: 'completed', signature });
    expect(state.attempts).toHaveLength(1);
    expect(await house.moved(transfer)).toHaveLength(1);
    expect(await house.tokens(transfer.to)).toBe(10_000_000n);
    if (is_dropped) return;
  }
});

test('no node passes it on, and its blockhash dies: it is signed again, once, and leaves once', async () => {
  const transfer = house.refund();
  const stage = await house.open(seen.chain);
  seen.look({ send: async () => undefined });
  await ask(stage, transfer);
  const first = await signed(stage, transfer);
  await house.killBlockhashes();
  const again = await once(stage, transfer, ({ attempts }) => attempts.length === 2);
  expect(again.attempts[0]).toMatchObject({ signature: first.signature, may_land: false });
  seen.look();
  const state = await ended(stage, transfer);
  expect(state.status).toBe('completed');
  expect(state.attempts).toHaveLength(2);
  expect((await house.moved(transfer)).map((one) => one.signature)).toEqual([state.signature]);
  expect(await house.tokens(transfer.to)).toBe(10_000_000n);
});

test.each([
  ['every node hides the signature', (views: number) => views],
  ['one of two nodes hides the signature', () => 1],
])('%s of one that has landed: while the marker is there it is processing, and signed no more', async (_, hiding) => {
  const transfer = house.refund();
  const stage = await house.open(seen.chain);
  let views = 0;
  seen.look({
    finalViews: showing(() => house.chain, ([view]) => {
      views += 1;
      if (view === undefined) throw new Error('one node answers');
      const both = [view, view];
      return both.map((one, index) => (index < hiding(2) ? withoutStatuses(one) : one));
    }),
  });
  await ask(stage, transfer);
  const { signature } = await signed(stage, transfer);
  while ((await statusOf(signature))?.commitment !== 'finalized') await sleep(20);
  await house.killBlockhashes();
  await looked(10, () => views);
  expect(await described(stage, transfer)).toMatchObject({ status: 'processing' });
  seen.look();
  const state = await ended(stage, transfer);
  expect(state).toMatchObject({ status: 'completed', signature });
  expect(state.attempts).toHaveLength(1);
  expect(await house.tokens(transfer.to)).toBe(10_000_000n);
});

test('all nodes hide all of it, and it is signed again: the second one fails by the marker, and the first one counts', async () => {
  const transfer = house.refund();
  const stage = await house.open(seen.chain);
  const lies = {
    finalViews: showing(() => house.chain, (views) => views.map(withNothing)),
    accounts: async (addresses: readonly string[]) => {
      const shown = await house.chain.accounts(addresses);
      // Neither the receiver’s account nor the marker.
      return shown.map((account, index) => (index === 2 || index === 3 ? null : account));
    },
    simulate: async () => ({ error: null, compute_units: 1, lamports: [] }),
  };
  seen.look(lies);
  await ask(stage, transfer);
  const first = await signed(stage, transfer);
  while ((await statusOf(first.signature))?.commitment !== 'finalized') await sleep(20);
  await house.killBlockhashes();
  const again = await once(stage, transfer, ({ attempts }) => attempts.length === 2);
  while ((await statusOf(again.signature))?.commitment !== 'finalized') await sleep(20);
  expect((await statusOf(again.signature))?.error).not.toBeNull();
  seen.look();
  const state = await ended(stage, transfer);
  expect(state).toMatchObject({ status: 'completed', signature: first.signature });
  expect(await house.moved(transfer)).toHaveLength(1);
  expect(await house.tokens(transfer.to)).toBe(10_000_000n);
});

test('slow and lagging nodes change nothing', async () => {
  const transfer = house.refund();
  const stage = await house.open();
  await house.local.control('localnet_delayRpc', { ms: 300 });
  await house.local.control('localnet_lagNode', { slots: 40 });
  await ask(stage, transfer);
  const { signature } = await signed(stage, transfer);
  await house.local.control('localnet_delayRpc', { ms: 0 });
  await house.local.control('localnet_lagNode', { slots: 0 });
  expect(await ended(stage, transfer)).toMatchObject({ status: 'completed', signature });
  expect(await house.tokens(transfer.to)).toBe(10_000_000n);
});
