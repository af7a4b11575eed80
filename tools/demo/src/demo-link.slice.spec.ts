import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoLink, DemoFault, demoMerchant } from './demo-merchant';

const asked: IncomingMessage[] = [];
let status = 503;
let made = 0;
/** A program as far as the demo merchant knows it: each link that it makes has another code. */
const program = createServer((request, response) => {
  asked.push(request);
  const is_link = request.url === '/api/v1/payment-links';
  const answer = is_link ? { link_code: `t${(made += 1)}` } : { id: 'm1', api_key: 'svc_test_1' };
  response.writeHead(is_link ? status : 201, { 'content-type': 'application/json' });
  response.end(JSON.stringify(is_link && status !== 201 ? { error: 'Later.' } : answer));
});
let folder: string;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tender-demo-'));
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(program.address() as AddressInfo).port}`;
  await demoMerchant(folder, url, 'svc_admin_1');
});
afterAll(() => {
  program.close();
  rmSync(folder, { recursive: true });
});

test('a link that cannot be had does not stop the start; the next one asks under the same key', async () => {
  expect(await demoLink(folder, url)).toBeNull();
  status = 201;
  expect(await demoLink(folder, url)).toMatch(/\/l\/t\d+$/);
  const [first, second] = asked.slice(-2).map(({ headers }) => headers);
  expect(first?.['idempotency-key']).toBe(second?.['idempotency-key']);
  expect(second?.authorization).toBe('Bearer svc_test_1');
});

test('it stays the same after each start, at whatever address the program is', async () => {
  const before = asked.length;
  const { api_key } = await demoMerchant(folder, url, 'svc_admin_1');
  expect(await demoLink(folder, 'http://127.0.0.1:9000')).toBe(`http://127.0.0.1:9000/l/t${made}`);
  expect([api_key, asked.length]).toEqual(['svc_test_1', before]);
  expect(JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'))).toMatchObject({ merchant_id: 'm1' });
});

test('what is kept is never seen half written', async () => {
  const before = join(folder, 'before');
  rmSync(join(folder, 'demo.json'));
  await demoMerchant(folder, url, 'svc_admin_1');
  linkSync(join(folder, 'demo.json'), before);
  await demoLink(folder, url);
  // A reader that has it open goes on with the whole of it.
  expect(JSON.parse(readFileSync(before, 'utf8'))).not.toHaveProperty('link_code');
  expect(readdirSync(folder).sort()).toEqual(['before', 'demo.json']);
});

test('a file that is empty or damaged is a fault that says what to do', async () => {
  const file = join(folder, 'demo.json');
  for (const content of ['', '{"email":']) {
    writeFileSync(file, content);
    const begun = demoMerchant(folder, url, 'svc_admin_1');
    await expect(begun).rejects.toThrow(DemoFault);
    await expect(begun).rejects.toThrow(`${file}, which keeps the demo merchant, is empty or damaged: delete it`);
    expect(readFileSync(file, 'utf8')).toBe(content);
  }
});
