import type { Sql } from '@tender/eventing';
import { Dispatcher, replyDouble } from '../testing/dispatcher';
import { ListWebhooksHttp } from './list-webhooks.http';

let dispatcher: Dispatcher;
beforeAll(async () => {
  dispatcher = await Dispatcher.start();
});
afterAll(async () => {
  await dispatcher.stop();
  await Dispatcher.stopServer();
});

test('a page of deliveries is read in the order of its index, not sorted', async () => {
  const { readModels } = dispatcher.runtime;
  const plan = await readModels.transaction(async (tx) => {
    // An empty table would be read whole.
    await tx.query('set local enable_seqscan = off');
    await tx.query('set local enable_bitmapscan = off');
    const lines: string[] = [];
    const explaining: Sql = {
      async query(text, values) {
        type Line = { readonly 'QUERY PLAN': string };
        const shown = await tx.query<Line>(`explain ${text}`, values);
        if (text.includes('order by')) lines.push(...shown.map((line) => line['QUERY PLAN']));
        return [];
      },
    };
    const explained = { ...readModels, query: explaining.query };
    const runtime = { ...dispatcher.runtime, readModels: explained };
    const caller = dispatcher.caller('m1', 'test');
    await new ListWebhooksHttp(runtime).list(caller, {}, replyDouble().reply);
    return lines.join('\n');
  });
  expect(plan).toContain('deliveries_of_merchant');
  expect(plan).not.toContain('Sort');
});
