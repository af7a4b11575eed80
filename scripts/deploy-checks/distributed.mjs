// The services of docker-compose.yml, with its settings, from the image's files: each in a process of its own that may
// not write them. Only what must differ on one machine without Docker is different: addresses and folders.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { addressSetting, SERVICES } from '../catalogue.mjs';
import { root } from '../terminal.mjs';
import { readCompose } from './compose.mjs';
import { freePort, isWell, mustEnd, served, start } from './program.mjs';

const require = createRequire(import.meta.url);
const built = (project) => require(join(root, project, 'dist', 'index.js'));
const PAID_MS = 60_000;
const LOOK_EVERY_MS = 100;

export async function runDistributed(stages, node, tools, say) {
  const folder = join(stages.get('service').folder, '..', 'distributed');
  const secrets = freshSecrets(folder, node);
  const { services } = readCompose(await tools.composeSpec, secrets);
  const closers = [];
  const programs = [];
  try {
    const servers = await startServers(folder, node, closers);
    const chain = await startChain(stages.get('local'), node, services.localnet.environment);
    programs.push({ ...chain, name: 'tools/localnet' });
    const stage = stages.get('service');
    const found = { ...servers, LOCALNET: chain.networks, HOST: '127.0.0.1' };
    const ports = {};
    for (const name of SERVICES) ports[name] = String(await freePort());
    const internal = { ...ports, gateway: String(await freePort()) };
    for (const name of SERVICES) {
      const addresses = addressesOf(services[name].environment, internal);
      const metrics = String(await freePort());
      const places = { ...found, ...addresses, PORT: ports[name], INTERNAL_PORT: internal.gateway, METRICS_PORT: metrics };
      const env = { ...settingsOf(services[name]), ...places };
      const program = start(stage, node, services[name].command, env);
      programs.push({ program, name, metrics });
    }
    for (const { program, name, metrics } of programs.slice(1)) {
      await served(program, `http://127.0.0.1:${ports[name]}/readyz`);
      await served(program, `http://127.0.0.1:${metrics}/metrics`);
      if (!isWell(stage, node, ports[name])) throw new Error(`HEALTHCHECK says that ${name} is ill`);
    }
    say(`${SERVICES.join(', ')} serve from the image's files with the settings of docker-compose.yml`);
    const url = `http://127.0.0.1:${ports.gateway}`;
    say(await payOnce(url, secrets.ADMIN_TOKEN, folder).catch((error) => explained(error, programs)));
    for (const { program, name } of programs.reverse()) await mustEnd(program, name);
    say('HEALTHCHECK agreed, SIGTERM ended every service and the local chains with 0');
  } finally {
    for (const { program } of programs) program.kill();
    for (const close of closers.reverse()) await close();
  }
}

/** The folder is the image's own, elsewhere; what was written as nothing has been read as null. */
function settingsOf({ environment }) {
  const { DATA_DIR: _, ...others } = environment;
  return Object.fromEntries(Object.entries(others).map(([name, value]) => [name, value ?? '']));
}

/** As a user makes them. */
function freshSecrets(folder, node) {
  mkdirSync(folder);
  const file = join(folder, 'env');
  const write = () => spawnSync(node, [join(root, 'scripts', 'compose-env.mjs'), file], { encoding: 'utf8' });
  if (write().status !== 0) throw new Error('compose-env.mjs writes no secrets');
  const text = readFileSync(file, 'utf8');
  const again = write();
  if (again.status === 0 || readFileSync(file, 'utf8') !== text) throw new Error('compose-env.mjs replaces secrets');
  return parseEnv(text);
}

/** Postgres and Kafka as the tests have them; of EventStoreDB there is only the double here. */
async function startServers(folder, node, closers) {
  const { startPostgres } = built('libs/adapters/postgres-server');
  const { startKafka } = built('tools/kafka');
  const { startEventStoreDouble } = built('tools/eventstore-double');
  const { jsonLog } = built('libs/runtime');
  const log = jsonLog({ level: 'error' });
  const kept = async (starting) => {
    const server = await starting;
    closers.push(() => server.stop());
    return server;
  };
  const [postgres, kafka, store] = await Promise.all([
    kept(startPostgres({ dataDir: join(folder, 'postgres'), log, connections_max: 200 })),
    kept(startKafka({ dataDir: join(folder, 'kafka') })),
    kept(startEventStoreDouble({ dataDir: join(folder, 'eventstore'), execPath: node })),
  ]);
  return {
    DATABASE_URL: postgres.connectionString,
    KAFKA_BROKERS: kafka.brokers.join(','),
    EVENTSTORE_URL: store.connection_string,
  };
}

async function startChain(stage, node, environment) {
  const [test, live] = [await freePort(), await freePort()];
  const data = join(stage.folder, 'data');
  const networks = join(data, 'networks.json');
  const program = start(stage, node, ['tools/localnet'], {
    ...environment,
    LOCALNET_HOST: '127.0.0.1',
    LOCALNET_PUBLIC_HOST: '127.0.0.1',
    LOCALNET_PORTS: `${test},${live}`,
    LOCALNET_DATA_DIR: join(data, 'chains'),
    LOCALNET_NETWORKS_FILE: networks,
  });
  await served(program, `http://127.0.0.1:${live}/health`);
  return { program, networks };
}

/** Where each service that the file names is reached by the others here. */
function addressesOf(environment, ports) {
  const given = SERVICES.filter((service) => environment[addressSetting(service)] !== undefined);
  return Object.fromEntries(
    given.map((service) => [addressSetting(service), `http://127.0.0.1:${ports[service]}`]),
  );
}

/** A merchant signs up, a customer pays on the local chain, the payment is confirmed. */
async function payOnce(url, admin_token, folder) {
  const { api_key } = await built('tools/demo').demoMerchant(folder, url, admin_token);
  const ask = async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const { id } = await ask('POST', 'payments', { amount: 10.5, token: 'USDC' });
  await ask('POST', 'test_helpers/pay', { payment_id: id });
  for (const until = Date.now() + PAID_MS; Date.now() < until; ) {
    const { status } = await ask('GET', `payments/${id}`);
    if (status === 'confirmed') return 'a payment went through all of them: created, paid on the chain, confirmed';
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error(`payment ${id} is not confirmed after ${PAID_MS} ms`);
}

function explained(error, programs) {
  const said = programs.map(({ name, program }) => `${name}: ${program.said().slice(-2_000)}`);
  throw new Error(`${error.message}\n${said.join('\n')}`);
}
