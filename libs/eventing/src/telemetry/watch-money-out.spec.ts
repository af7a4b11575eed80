import { isoTime } from '@tender/kernel';
import { recordedTelemetry } from '../testing';
import type { Runtime } from '../runtime';
import { watchMoneyOut } from './watch-money-out';

const NOW_MS = Date.parse('2026-05-01T12:00:00.000Z');

test('the age of the oldest that is under way is told for each mode; 0 where none is', async () => {
  const recorded = recordedTelemetry();
  const asked: string[] = [];
  const readModels = {
    async query(sql: string) {
      asked.push(sql);
      return [{ mode: 'live', since: isoTime(NOW_MS - 90_000) }];
    },
  };
  const clock = { now: () => NOW_MS };
  const runtime = { readModels, clock, telemetry: recorded.telemetry } as unknown as Runtime;
  const end = watchMoneyOut(runtime, 'settlement');
  const read = () => recorded.read('tender_money_out_oldest_seconds');
  expect(await read()).toEqual([
    { value: 0, labels: { kind: 'settlement', mode: 'test' } },
    { value: 90, labels: { kind: 'settlement', mode: 'live' } },
  ]);
  expect(asked.join()).toContain('payments.settlements');
  end();
  expect(await read()).toEqual([]);
});
