import type { Sql } from '@tender/eventing';
import type { Leases } from '../leases/leases';
import { QUEUES } from '../queues';
import { WakeUp, type WakeUps } from '../wake-up.worker';
import { ClaimedAhead } from './claimed-ahead';
import { Claims } from './claims';
import { EndpointLoad } from './endpoint-load';

const NOW_MS = 1_000_000;

/** A queue whose endpoints are due at that time. What of them can be claimed is nothing. */
function queueWith(due: { at: number | null }) {
  const asked: string[] = [];
  const tx: Sql = {
    query: async () => {
      asked.push('claim');
      return [];
    },
  };
  const readModels = {
    query: async () => {
      asked.push('due');
      return [{ due: due.at }];
    },
    transaction: <Result>(work: (sql: Sql) => Promise<Result>) => work(tx),
  };
  const clock = { now: () => NOW_MS, wall: () => NOW_MS };
  const load = new EndpointLoad();
  const wakeUps: WakeUps = { [QUEUES.first]: new WakeUp(), [QUEUES.retry]: new WakeUp() };
  const wake = jest.spyOn(wakeUps[QUEUES.retry], 'wake');
  const claims = new Claims({
    runtime: { readModels: readModels as never, clock },
    ...{ load, ahead: new ClaimedAhead(load), leases: { owner: 'me' } as Leases, wakeUps },
  });
  return { claims, load, asked, wake, look: () => claims.claim(QUEUES.retry, () => undefined) };
}

test('at rest a look is one question, and the next one is made when something is due', async () => {
  const due: { at: number | null } = { at: null };
  const { claims, asked, look } = queueWith(due);
  await look();
  await look();
  expect(claims.restMs(QUEUES.retry)).toBe(Number.POSITIVE_INFINITY);
  due.at = NOW_MS + 3_000;
  await look();
  expect(claims.restMs(QUEUES.retry)).toBe(3_000);
  expect(asked).toEqual(['claim', 'due', 'due']);
});

test('what is due is claimed, and looked at again soon where nothing of it can be', async () => {
  const { claims, asked, look } = queueWith({ at: NOW_MS });
  await look();
  await look();
  expect(asked).toEqual(['claim', 'due', 'claim']);
  expect(claims.restMs(QUEUES.retry)).toBe(250);
});

test('while an attempt is under way it looks again soon', async () => {
  const { claims, load, look } = queueWith({ at: null });
  await look();
  await look();
  load.started({ endpoint_id: 'e1', merchant: 'm1', queue: QUEUES.first, started_at: 0 });
  expect(claims.restMs(QUEUES.retry)).toBe(250);
});

test('a result that makes a delivery due again wakes the queue of retries', () => {
  const { claims, wake } = queueWith({ at: null });
  claims.resultsWritten(false);
  expect(wake).not.toHaveBeenCalled();
  claims.resultsWritten(true);
  expect(wake).toHaveBeenCalled();
});
