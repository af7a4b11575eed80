import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { COMPOSITION } from '@tender/composition';
import { FEE_KEY_FILES, addressSetting, GATEWAY, houseOf, serviceOf, SERVICES } from '@tender/contracts';
import { settingsOf } from '@tender/http';
import { readGatewaySettings, readServiceSettings, startProgram } from '@tender/runtime';
import { serviceEnvironment } from './service-environment';

const SECRET = 'a secret of the operator’s shell';
const addresses = new Map<string, string>(
  SERVICES.map((service) => [service, addressSetting(service)]),
);
/** What `startServices` sets for each process. */
const SET_HERE = new Set([
  ...[
    'HOST',
    'PORT',
    'APPROVAL_URL',
    'INTERNAL_PORT',
    'METRICS_PORT',
    'DATA_DIR',
    'DATABASE_URL',
    'EVENTSTORE_URL',
    'KAFKA_BROKERS',
  ],
  ...['INTERNAL_SECRET', 'LOCALNET', 'PUBLIC_URL', 'WEBHOOK_ALLOW_LOOPBACK', ...addresses.values()],
]);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tender-environment-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The settings that a reader asks for, whatever it makes of them. */
function askedBy(read: (env: NodeJS.ProcessEnv) => unknown): readonly string[] {
  const asked = new Set<string>();
  const identity = path.join(folder, 'identity');
  const key = Buffer.alloc(32, 1).toString('base64');
  writeFileSync(identity, key, { mode: 0o600 });
  const signers = {
    ...{ SIGNER_A_URL: 'http://127.0.0.1:1', SIGNER_B_URL: 'http://127.0.0.1:2' },
    ...{ SIGNER_A_IDENTITY: '1'.repeat(32), SIGNER_B_IDENTITY: '2'.repeat(32) },
    ...{ TREASURY_IDENTITY_FILE: identity, RECOVERY_PUBLIC_KEY: key },
  };
  const known: NodeJS.ProcessEnv = {
    ...{ DATABASE_URL: 'postgres://x/y', INTERNAL_SECRET: 'x'.repeat(32), KAFKA_BROKERS: 'x:1' },
    ...{ PUBLIC_URL: 'http://x', APPROVAL_URL: 'http://y', METRICS_PORT: '0' },
    ...{ SOLANA_RPC_URL_TEST: 'http://x', KAFKA_USERNAME: 'x', KAFKA_PASSWORD: 'x' },
    ...{ SMTP_URL: 'smtp://x', MAIL_FROM: 'x@y.example' },
    ...signers,
    ...Object.fromEntries([...addresses.values()].map((name) => [name, 'http://x'])),
  };
  const watched = new Proxy(known, {
    get(target, name) {
      asked.add(String(name));
      return name === 'SOLANA_RPC_URL_LIVE' ? 'http://y' : target[String(name)];
    },
  });
  read(watched);
  return [...asked];
}

function missing(service: string, asked: readonly string[]): readonly string[] {
  const set = Object.fromEntries(asked.map((name) => [name, 'set']));
  const passed = serviceEnvironment(set, service);
  return asked.filter((name) => !SET_HERE.has(name) && passed[name] === undefined);
}

test('every setting that a service reads reaches it', () => {
  const place = { url: 'http://x', approval_url: 'http://y', secretFile: () => '' };
  for (const name of SERVICES) {
    const contexts = Object.values(COMPOSITION).filter(
      (context) => serviceOf(context.name) === name,
    );
    const asked = [
      ...askedBy((env) => readServiceSettings(env, houseOf(name))),
      ...askedBy((env) => settingsOf(contexts, env, place)),
    ];
    expect([name, missing(name, asked)]).toEqual([name, []]);
  }
  const asked = askedBy((env) => {
    env['ADMIN_TOKEN'] = `svc_admin_${'x'.repeat(32)}`;
    env['TEST_HELPERS'] = 'false';
    return readGatewaySettings(env, folder);
  });
  expect(asked).toContain('ADMIN_TOKEN');
  expect(missing(GATEWAY, asked)).toEqual([]);
});

test('the operator’s token is for gateways; what else is in the shell reaches no service', () => {
  const env = { ADMIN_TOKEN: 'a', MASTER_KEY: 'm', AWS_SECRET_ACCESS_KEY: SECRET, FAULT: 'f' };
  expect(serviceEnvironment(env, GATEWAY)).toEqual({ ADMIN_TOKEN: 'a', MASTER_KEY: 'm' });
  expect(serviceEnvironment(env, 'payments')).toEqual({ MASTER_KEY: 'm' });
});

test.each(Object.values(FEE_KEY_FILES))('treasury alone gets the path of $test', ({ test: setting }) => {
  const told = SERVICES.filter(
    (name) => Object.keys(serviceEnvironment({ [setting]: 'k' }, name)).length > 0,
  );
  expect(told).toEqual([serviceOf('treasury')]);
});

test('treasury alone gets to know where the signers are', () => {
  const told = SERVICES.filter(
    (name) => Object.keys(serviceEnvironment({ SIGNER_A_URL: 'u' }, name)).length > 0,
  );
  expect(told).toEqual([serviceOf('treasury')]);
});

test('only the services that mail get the login of the mail server', () => {
  const told = SERVICES.filter(
    (name) => Object.keys(serviceEnvironment({ SMTP_URL: 'smtp://mail.test' }, name)).length > 0,
  );
  expect(told).toEqual([GATEWAY, serviceOf('billing'), serviceOf('refunds-disputes')]);
});

test('a service’s process does not hold a secret of its parent', async () => {
  const main = path.join(folder, 'main.js');
  const ready = JSON.stringify({ type: 'ready', url: 'http://127.0.0.1:1', metrics_port: null });
  writeFileSync(main, `process.send(${ready}); process.on('disconnect', () => process.exit());`);
  const env = serviceEnvironment(
    { ...process.env, NODE_OPTIONS: '', SOME_TOKEN: SECRET },
    'payments',
  );
  const service = await startProgram({
    ...{ name: 'payments', main, node_flags: [] },
    env: { ...env, TENDER_SERVICE: 'payments' },
  });
  const held = readFileSync(`/proc/${service.pid}/environ`, 'utf8');
  await service.stop();
  expect(held).toContain('TENDER_SERVICE=payments');
  expect(held).not.toContain(SECRET);
});

test('a service that cannot be spawned has not started, and says why', async () => {
  const execPath = path.join(folder, 'node');
  const service = { name: 'payments', main: 'main.js', node_flags: [], env: {}, execPath };
  await expect(startProgram(service)).rejects.toMatchObject({
    name: 'ProgramFault',
    message: `payments ended (spawn ${execPath} ENOENT) at start`,
  });
});
