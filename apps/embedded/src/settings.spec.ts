import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SettingsFault } from '@tender/eventing';
import { readSettings } from './settings';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'settings '));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const read = (env: NodeJS.ProcessEnv = {}) => readSettings({ DATA_DIR: dir, ...env });
const STRONG = `svc_admin_${'Zx9_-b7Q'.repeat(4)}`;

describe('the admin token', () => {
  it('is made once, readable by its owner alone, and strong enough to be a setting', () => {
    const { admin_token } = read();
    expect(read().admin_token).toBe(admin_token);
    expect(statSync(path.join(dir, 'admin-token')).mode & 0o777).toBe(0o600);
    expect(read({ ADMIN_TOKEN: admin_token }).admin_token).toBe(admin_token);
  });

  it('is the one that was given', () => {
    expect(read({ ADMIN_TOKEN: STRONG }).admin_token).toBe(STRONG);
  });

  it.each([
    ['short', STRONG.slice(0, -1)],
    ['of another form', 'x'.repeat(64)],
    ['of characters that no log would hide', `${STRONG}!`],
    ['too long to be read', `svc_admin_${'x'.repeat(501)}`],
  ])('is refused when %s, and never shown', (_, token) => {
    expect(() => read({ ADMIN_TOKEN: token })).toThrow(/^ADMIN_TOKEN must be "svc_admin_" and 32/);
    expect(() => read({ ADMIN_TOKEN: token })).not.toThrow(token);
  });

  it('is refused when its file is damaged, in a sentence that names the file', () => {
    writeFileSync(path.join(dir, 'admin-token'), '');
    expect(() => read()).toThrow(`ADMIN_TOKEN in ${path.join(dir, 'admin-token')} must be`);
  });

  it('must be given with a live chain', () => {
    const SOLANA_RPC_URL_LIVE = 'http://127.0.0.1:1';
    expect(() => read({ SOLANA_RPC_URL_LIVE })).toThrow(SettingsFault);
    expect(read({ SOLANA_RPC_URL_LIVE, ADMIN_TOKEN: STRONG }).admin_token).toBe(STRONG);
  });
});

describe('chains outside', () => {
  it('take several nodes', () => {
    const SOLANA_RPC_URL_TEST = 'http://one.test,http://two.test';
    const { rpc_urls } = read({ SOLANA_RPC_URL_TEST }).outside;
    expect(rpc_urls).toEqual({ test: ['http://one.test', 'http://two.test'], live: [] });
  });

  it('are never one for test and live', () => {
    const SOLANA_RPC_URL_TEST = 'http://one.test';
    const both = { SOLANA_RPC_URL_TEST, SOLANA_RPC_URL_LIVE: `${SOLANA_RPC_URL_TEST}/` };
    expect(() => read({ ...both, ADMIN_TOKEN: STRONG })).toThrow(
      /^SOLANA_RPC_URL_TEST and SOLANA_RPC_URL_LIVE name the same node/,
    );
  });
});

describe('the work', () => {
  it('goes on in a thread of its own unless it is to share that of the requests', () => {
    expect(read().work_thread).toBe(true);
    expect(read({ WORK_THREAD: 'false' }).work_thread).toBe(false);
    expect(() => read({ WORK_THREAD: '2' })).toThrow('WORK_THREAD is "2"; it takes true or false.');
  });
});

describe('telemetry', () => {
  it('is off by default', () => {
    expect(read()).toMatchObject({ metrics_port: null, otlp_endpoint: null });
  });

  it('takes a port and a collector', () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318';
    expect(read({ METRICS_PORT: '9464', OTEL_EXPORTER_OTLP_ENDPOINT })).toMatchObject({
      metrics_port: 9464,
      otlp_endpoint: OTEL_EXPORTER_OTLP_ENDPOINT,
    });
  });

  it('has a port for each thread, and none of them is that of clients', () => {
    const both = { PORT: '9465', METRICS_PORT: '9464' };
    expect(() => read(both)).toThrow('each of the 2 threads takes one from there on, to 9465, and PORT is 9465');
    expect(() => read({ METRICS_PORT: '65535' })).toThrow('name 65534 or less');
    expect(read({ ...both, WORK_THREAD: 'false' }).metrics_port).toBe(9464);
  });

  it.each([
    [{ METRICS_PORT: 'yes' }, 'METRICS_PORT is "yes"; it takes a whole number from 0 to 65535.'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
      'OTEL_EXPORTER_OTLP_ENDPOINT is not a URL that begins with http:// or https://.',
    ],
  ])('refuses %j', (env, sentence) => {
    expect(() => read(env)).toThrow(sentence);
  });
});

describe('trusted proxies, and networks of operators', () => {
  it('are none by default', () => {
    expect(read().trusted_proxies).toEqual([]);
    expect(read().admin_networks).toBeUndefined();
    expect(read({ TRUSTED_PROXIES: '' }).trusted_proxies).toEqual([]);
  });

  it('are addresses and ranges', () => {
    const TRUSTED_PROXIES = '10.0.0.0/8, 192.0.2.1,2001:db8::/32, ::1';
    const { admin_networks } = read({ ADMIN_NETWORKS: TRUSTED_PROXIES });
    expect(admin_networks).toEqual(read({ TRUSTED_PROXIES }).trusted_proxies);
    expect(read({ TRUSTED_PROXIES }).trusted_proxies).toEqual([
      '10.0.0.0/8',
      '192.0.2.1/32',
      '2001:db8::/32',
      '::1/128',
    ]);
  });

  it.each([
    'proxy.internal',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.1',
    '::1/129',
    '::ffff:10.0.0.1',
    'fe80::1%eth0',
    '0.0.0.0/0',
    '192.0.2.1:80',
  ])('are not %s', (one) => {
    expect(() => read({ ADMIN_NETWORKS: `192.0.2.1, ${one}` })).toThrow(
      `ADMIN_NETWORKS names "${one}"; it takes`,
    );
    expect(() => read({ TRUSTED_PROXIES: `192.0.2.1, ${one}` })).toThrow(
      `TRUSTED_PROXIES names "${one}"; it takes`,
    );
  });
});
