import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log, Telemetry } from '@tender/eventing';
import { startTelemetry } from './index';

const said: object[] = [];
const say = (fields: object, message: string): void => void said.push({ ...fields, message });
const log: Log = { info: say, warn: say, error: say };
const base = { service: 'spec', host: '127.0.0.1', metrics_port: 0, otlp_endpoint: null, log };

const scrape = async (port: number | null, path = '/metrics') => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: answer.status, text: await answer.text() };
};

test('what is measured is there at the next scrape, and only there', async () => {
  const telemetry = await startTelemetry(base);
  telemetry.count('tender_webhook_exhausted_total', { mode: 'test' }, 2);
  telemetry.time('tender_webhook_first_attempt_lag_seconds', 900, { mode: 'live' });
  const unwatch = telemetry.watch('tender_lease_held', () => [{ value: 1, labels: { lease: 'l' } }]);
  const { text } = await scrape(telemetry.metrics_port);
  expect(text).toContain('tender_webhook_exhausted_total{mode="test"} 2');
  expect(text).toMatch(/first_attempt_lag_seconds_bucket\{mode="live",le="0.5"\} 0\n/);
  expect(text).toMatch(/first_attempt_lag_seconds_bucket\{mode="live",le="1"\} 1\n/);
  expect(text).toContain('tender_lease_held{lease="l"} 1');
  expect(text).toContain('service_name="tender-spec"');
  unwatch();
  expect((await scrape(telemetry.metrics_port)).text).not.toContain('tender_lease_held{');
  expect((await scrape(telemetry.metrics_port, '/')).status).toBe(404);
  await telemetry.close();
  await expect(scrape(telemetry.metrics_port)).rejects.toThrow();
});

test('a reading that fails or never comes is missing alone', async () => {
  const telemetry = await startTelemetry(base);
  const labels = { lease: 'l' };
  const never: Parameters<Telemetry['watch']>[1] = () => new Promise(() => undefined);
  telemetry.watch('tender_parked_messages', never);
  telemetry.watch('tender_lease_held', () => Promise.reject(new Error('the database is away')));
  telemetry.watch('tender_lease_held', () => [{ value: 1, labels }]);
  const { text } = await scrape(telemetry.metrics_port);
  expect(text).toContain('tender_lease_held{lease="l"} 1');
  expect(text).toContain('tender_memory_bytes{kind="rss"}');
  await telemetry.close();
});

test('a port that is taken is an error that names it', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  await expect(startTelemetry({ ...base, metrics_port: port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    port,
  });
  taken.close();
});

test('a collector that is away is logged once, and holds nothing up', async () => {
  const telemetry = await startTelemetry({
    ...base,
    metrics_port: null,
    otlp_endpoint: 'http://127.0.0.1:1',
  });
  telemetry.span({
    name: 'append note',
    kind: 'client',
    correlation_id: null,
    began: telemetry.ticks(),
    failed: false,
    attributes: {},
  });
  await telemetry.close();
  expect(said).toEqual([expect.objectContaining({ message: 'telemetry is incomplete' })]);
});
