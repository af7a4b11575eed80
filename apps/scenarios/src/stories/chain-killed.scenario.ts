/**
 * @landing embedded
 * @runs embedded postgres
 * @program own
 */
// The chains of this machine die: the program that started them starts them again where they were.
import { eventually } from '../harness/eventually';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';

let program: Program;
let receiver: Receiver;
let merchant: Merchant;
beforeAll(async () => {
  [program, receiver] = await Promise.all([Program.start(), Receiver.start()]);
  merchant = await newMerchant(program, { webhook_url: receiver.url });
});
afterAll(async () => {
  await receiver.close();
  await program.discard();
});

async function paid(): Promise<string> {
  const { json } = await merchant.api.post('/api/v1/payments', { amount: 7 });
  const pay = () => merchant.api.post('/api/v1/test_helpers/pay', { payment_id: json.id });
  expect((await pay()).status).toBe(200);
  const read = async () => (await merchant.api.get(`/api/v1/payments/${json.id}`)).json.status;
  await eventually(read, (status) => status === 'confirmed' || status === 'settled');
  return json.id;
}

/** The chain that the program says it follows, as a wallet asks it. */
const chains = () => [...new Set(program.output.match(/http:\/\/127\.0\.0\.1:\d+/g))];
const genesisOf = async (url: string): Promise<string | null> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getGenesisHash' });
  const headers = { 'content-type': 'application/json' };
  const asked = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
  const answer = asked?.ok ? ((await asked.json().catch(() => ({}))) as { result?: string }) : {};
  return answer.result ?? null;
};

test('kill -9 of the local chains: they come back at their URLs, and payments are confirmed', async () => {
  const before = await paid();
  const answered = await Promise.all(chains().map(async (url) => [url, await genesisOf(url)]));
  const networks = answered.filter(([, genesis]) => genesis !== null);
  expect(networks).toHaveLength(2);

  const pid = program.pidOf('localnet');
  process.kill(pid, 'SIGKILL');
  await eventually(async () => program.pidOf('localnet'), (now) => now !== pid);
  for (const [url, genesis] of networks) expect(await genesisOf(String(url))).toBe(genesis);

  await paid();
  const kept = await merchant.api.get(`/api/v1/payments/${before}`);
  expect(kept.json.status).toMatch(/^(confirmed|settled)$/);
  const ready = async () => (await merchant.api.get('/readyz')).json;
  await eventually(ready, ({ status }) => status === 'ok');
  expect(program.output).toContain(`tender: localnet (pid ${pid}) ended (SIGKILL) and is started again`);
});
