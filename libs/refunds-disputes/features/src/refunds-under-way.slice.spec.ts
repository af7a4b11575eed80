import { recordedTelemetry } from '@tender/eventing/testing';
import { playPayments } from './testing/played-payments';
import { playTreasury } from './testing/played-treasury';
import { refundRoutes } from './testing/refund-routes';
import { refundsDisputesStage } from './testing/refunds-disputes-stage';

test('how long the oldest refund has been under way is measured, until it has ended', async () => {
  const recorded = recordedTelemetry();
  const stage = await refundsDisputesStage({ telemetry: recorded.telemetry });
  try {
    const payments = playPayments(stage);
    const treasury = playTreasury(stage);
    const routes = refundRoutes(stage);
    const ages = async () =>
      (await recorded.read('tender_money_out_oldest_seconds')).map(({ value, labels }) => [labels.mode, value]);
    const started = [];
    for (const _ of [1, 2]) {
      const { json } = await routes.create(await payments.add(), { amount_usd: 25 });
      started.push(json.id as string);
      stage.advance(60_000);
    }
    await stage.settle();
    const [first, second] = started as [string, string];
    const oldest = async () => new Map((await ages()) as [string, number][]);
    expect((await oldest()).get('test')).toBeGreaterThanOrEqual(120);
    expect((await oldest()).get('live')).toBe(0);
    await treasury.complete(first);
    await stage.settle();
    const age = (await oldest()).get('test') ?? 0;
    expect([age >= 60, age < 120]).toEqual([true, true]);
    await treasury.fail(second);
    await stage.settle();
    expect((await oldest()).get('test')).toBe(0);
  } finally {
    await stage.close();
  }
});
