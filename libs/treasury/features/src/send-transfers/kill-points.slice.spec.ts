import { Unavailable } from '@tender/eventing';
import { ask, described, ended, once, PayoutHouse, signed } from '../testing/payout-house';

const house = new PayoutHouse();
beforeAll(() => house.start());
afterAll(() => house.close());

/** The process dies at that moment: nothing leaves it any more. */
const never = () =>
  Promise.reject(new Unavailable('the chain', { reason: 'this process is dead' }));

/** Requested of the process that dies, and ended by the next one: one transfer, of one transaction. */
async function leftOnce(transfer: ReturnType<PayoutHouse['refund']>, signatures: number) {
  const next = await house.open();
  const state = await ended(next, transfer);
  expect(state.status).toBe('completed');
  expect(state.attempts).toHaveLength(signatures);
  const moved = await house.moved(transfer);
  expect(moved.map(({ signature }) => signature)).toEqual([state.signature]);
  expect(await house.tokens(transfer.to)).toBe(BigInt(transfer.amount));
  return state;
}

test('it dies after the signers have signed, before the record: nothing was sent, and the next one signs it', async () => {
  const transfer = house.refund();
  const dying = await house.open({}, { key: { address: house.key.address, sign: never } });
  const asked = house.custody.asked.length;
  await ask(dying, transfer);
  while (house.custody.asked.length === asked) await new Promise((later) => setTimeout(later, 20));
  await leftOnce(transfer, 1);
});

test('it dies between the record and the send (K9): the next one sends the same bytes', async () => {
  const transfer = house.refund();
  const dying = await house.open({ send: never, finalViews: never });
  await ask(dying, transfer);
  const before = await signed(dying, transfer);
  expect(before.status).toBe('processing');
  expect(await described(dying, transfer)).toMatchObject({ status: 'processing' });
  expect(await house.moved(transfer)).toEqual([]);
  expect((await leftOnce(transfer, 1)).signature).toBe(before.signature);
});

test('it dies after the send, before it has looked (K10): the next one finds it on the chain', async () => {
  const transfer = house.refund();
  const dying = await house.open({ finalViews: never });
  await ask(dying, transfer);
  const before = await signed(dying, transfer);
  while ((await house.moved(transfer)).length === 0);
  expect((await leftOnce(transfer, 1)).signature).toBe(before.signature);
});

test('it dies when it is final, before that is recorded (K11): the next one completes it', async () => {
  const transfer = house.refund();
  const dying = await house.open({ transaction: never });
  await ask(dying, transfer);
  const before = await signed(dying, transfer);
  for (;;) {
    const { statuses } = await house.chain.signatureStatuses([before.signature ?? '']);
    if (statuses[0]?.commitment === 'finalized') break;
  }
  const open = await once(dying, transfer, () => true);
  expect(open.status).toBe('processing');
  expect((await leftOnce(transfer, 1)).signature).toBe(before.signature);
});
