/**
 * @landing embedded
 * @program own
 * @takes minutes
 */
import { FAULT_POINTS } from '../faults/faults';
import { brokenInvariants } from '../harness/invariants';
import { Program } from '../harness/program';
import { Trade } from '../harness/trade';

let trade: Trade;

beforeAll(async () => {
  trade = await Trade.begin(await Program.start());
});
afterAll(() => trade.end());

/** Every third order is paid. */
const PAID_EACH = 3;

// A fault may strike while the program starts, which counts as well.
test.each(FAULT_POINTS)('kill -9 at %s, the first time since it started, loses nothing and doubles nothing', async (point) => {
  const FAULT = `${point}:1`;
  await trade.program.kill();
  const began = await trade.program.start({ FAULT }).then(
    () => true,
    () => false,
  );
  if (began) await trade.orderUntilDeath(FAULT, PAID_EACH);
  await trade.survivesDeath();
});

test.each(FAULT_POINTS)('kill -9 at %s, the seventh time, loses nothing and doubles nothing', async (point) => {
  const fault = `${point}:7`;
  await trade.program.strike(['tender'], fault);
  await trade.orderUntilDeath(fault, PAID_EACH);
  await trade.survivesDeath();
});

test('after all of that every answer of the beginning is still the same', () =>
  trade.checkFromTheBeginning());

test('nothing of all that breaks an invariant', async () => {
  expect(await brokenInvariants(trade.program)).toEqual([]);
});
