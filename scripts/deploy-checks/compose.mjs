// docker-compose.yml against the compose specification (by its own library), the files beside it, and the code.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressSetting, GATEWAY, SERVICES } from '../catalogue.mjs';
import { root } from '../terminal.mjs';
import { unreadNames } from './environment-names.mjs';
import { checkPins } from './pinned-images.mjs';

const FILE = join(root, 'docker-compose.yml');
/** Each of these stops `docker compose` with a sentence when it is not there. */
const SECRETS = ['POSTGRES_PASSWORD', 'MASTER_KEY', 'INTERNAL_SECRET', 'ADMIN_TOKEN', 'GRAFANA_PASSWORD'];
/** `${NAME}`, `${NAME:-default}`, `${NAME-default}`, `${NAME:?sentence}`. */
const VARIABLE = /\$\{(\w+)(?:(:?[-?])([^}]*))?\}/g;

export async function checkCompose(tools, say) {
  const composeSpec = await tools.composeSpec;
  const text = readFileSync(FILE, 'utf8');
  asksForItsSecrets(text, composeSpec);
  say(`docker-compose.yml asks for ${SECRETS.length} secrets and refuses to start without them`);

  const model = readCompose(composeSpec);
  const faults = Object.entries(model.services).flatMap(([name, service]) => [
    ...faultsOf(name, service),
    ...filesMissing(name, service),
    ...environmentFaults(name, service),
  ]);
  if (faults.length > 0) throw new Error(`docker-compose.yml:\n  ${faults.join('\n  ')}`);
  say(`${Object.keys(model.services).length} services follow the specification; files, programs and settings agree`);
  checkPins(Object.values(model.services).map(({ image }) => image), say);
}

function asksForItsSecrets(text, composeSpec) {
  const { status, stderr } = run(composeSpec, FILE);
  if (status === 0 || !stderr.includes('run npm run compose:env first')) {
    throw new Error(`docker-compose.yml is not refused without secrets: ${stderr}`);
  }
  for (const [variable, name, how] of text.matchAll(VARIABLE)) {
    if (SECRETS.includes(name) !== (how === ':?')) {
      throw new Error(`docker-compose.yml: ${variable} is ${how === ':?' ? 'no known secret' : 'not asked for'}`);
    }
  }
  const written = readFileSync(join(root, 'scripts', 'compose-env.mjs'), 'utf8');
  const forgotten = SECRETS.filter((name) => !text.includes(`\${${name}:?`) || !written.includes(`${name}=`));
  if (forgotten.length > 0) throw new Error(`${forgotten.join(', ')}: asked for or written, not both`);
}

function run(composeSpec, file) {
  const flags = ['-format', 'json', '-no-path-resolution'];
  const env = { PATH: process.env.PATH, COMPOSE_DISABLE_ENV_FILE: '1' };
  return spawnSync(composeSpec, [...flags, file], { env, encoding: 'utf8', cwd: tmpdir() });
}

/** The library's own command does not see the environment, so the defaults are put in before. */
export function readCompose(composeSpec, secrets = {}) {
  const text = readFileSync(FILE, 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'tender-compose-'));
  try {
    const file = join(folder, 'docker-compose.yml');
    const valueOf = (_, name, how, rest) => (how === ':?' ? (secrets[name] ?? name) : (rest ?? ''));
    writeFileSync(file, text.replaceAll(VARIABLE, valueOf));
    const { status, stdout, stderr } = run(composeSpec, file);
    if (status !== 0) throw new Error(`docker-compose.yml is refused: ${stderr}${stdout}`);
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function* faultsOf(name, { healthcheck, restart, deploy, ports = [], build, ...rest }) {
  if (!healthcheck?.test?.length) yield `${name} has no health check`;
  if (!restart) yield `${name} is not restarted`;
  if (!deploy?.resources?.limits?.memory) yield `${name} has no memory limit`;
  if (rest.container_name) yield `${name} has a fixed name, so it cannot be scaled`;
  for (const { host_ip, target } of ports) {
    if (host_ip !== '127.0.0.1') yield `${name}: port ${target} is open to other machines`;
  }
  if (build && (!rest.read_only || !rest.cap_drop?.includes('ALL'))) {
    yield `${name} may write its files or keeps capabilities`;
  }
}

function* filesMissing(name, { volumes = [], command = [], build }) {
  for (const { type, source } of volumes) {
    if (type === 'bind' && !existsSync(join(root, source))) yield `${name}: ${source} does not exist`;
  }
  const [program] = command;
  if (build && !existsSync(join(root, program ?? '', 'src', 'main.ts'))) {
    yield `${name} runs ${program}, which has no src/main.ts`;
  }
}

function* environmentFaults(name, { environment = {}, command = [], build }) {
  if (!build || !existsSync(join(root, command[0] ?? '', 'package.json'))) return;
  for (const unread of unreadNames(command[0], Object.keys(environment))) {
    yield `${name} is given ${unread}, which ${command[0]} does not read`;
  }
}
