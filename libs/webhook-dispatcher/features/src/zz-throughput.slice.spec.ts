import type { Outbound } from '@tender/eventing';
import { Dispatcher } from './testing/dispatcher';
afterAll(() => Dispatcher.stopServer());
test('throughput', async () => {
  let n = 0;
  const outbound: Outbound = {
    refusal: async () => null,
    post: async () => {
      n += 1;
      return { ok: true, status: 200, body: Buffer.alloc(0), body_cut: false, retry_after: null, duration_ms: 1 };
    },
  };
  const d = await Dispatcher.start(outbound);
  const explained: Record<string, number> = {};
  const times = new Map<string, [number, number]>();
  const timed = (sql: any) => ({ query: async (text: string, v: any) => {
    if (/with picked as|with result as/.test(text) && (explained[text.slice(0, 30)] = (explained[text.slice(0, 30)] ?? 0) + 1) === 20) {
      const rows = await sql.query('explain (analyze, buffers, summary) ' + text, v);
      console.log(rows.map((r: any) => r['QUERY PLAN']).join('\n'));
      return await sql.query(/with picked/.test(text) ? 'select 1 as id where false' : 'select 1', []);
    }
    const t = performance.now();
    try { return await sql.query(text, v); } finally {
      const k = text.replace(/\s+/g, ' ').slice(0, 60); const e = times.get(k) ?? [0, 0]; e[0] += 1; e[1] += performance.now() - t; times.set(k, e); }
  }});
  const rm = d.runtime.readModels as any; const q = rm.query, tr = rm.transaction;
  rm.query = timed({ query: q.bind(rm) }).query;
  rm.transaction = async (w: any) => { const t = performance.now(); try { return await tr((tx: any) => { const o = tx.query.bind(tx); tx.query = timed({ query: o }).query; return w(tx); }); } finally { const e = times.get('TX') ?? [0,0]; e[0] += 1; e[1] += performance.now() - t; times.set('TX', e);} };
  const merchants = Array.from({ length: 100 }, (_, i) => `m${i}`);
  await Promise.all(merchants.map((m) => d.configure(m, `http://127.0.0.1:9/${m}`)));
  for (let round = 0; round < 2; round += 1) {
    n = 0;
    await d.sender.stop();
    let t = performance.now();
    for (let b = 0; b < 20; b += 1)
      await d.plan(...Array.from({ length: 500 }, (_, i) => d.paymentEvent(`m${i % 100}`, `pay_${round}_${b}_${i}`)));
    console.log('planned/s', Math.round(10000 / ((performance.now() - t) / 1000)));
    console.log([...times].map(([k,[c,ms]]) => `${Math.round(ms)}ms ${c}x ${k}`).join('\n')); times.clear();
    t = performance.now(); const c0 = process.cpuUsage();
    await d.sender.start();
    while (n < 10000) await new Promise((r) => setTimeout(r, 5));
    console.log('sent/s', Math.round(10000 / ((performance.now() - t) / 1000)));
    const c = process.cpuUsage(c0); console.log('cpu ms', c.user/1000, c.system/1000);
    await d.sender.idle();
    console.log([...times].map(([k,[c,ms]]) => `${Math.round(ms)}ms ${c}x ${k}`).join('\n')); times.clear();
  }
  await d.stop();
});
