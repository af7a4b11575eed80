// Builds both images as far as that goes without Docker, looks at what is inside, and runs what can be run.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment, node24 } from '../node24.mjs';
import { root } from '../terminal.mjs';
import { filesBelow, follow, inside, readDockerfile, readIgnore } from './dockerfile.mjs';

const SERVING_MS = 120_000;
/** The grace period of docker-compose.yml. */
const STOPPING_MS = 35_000;
const LOOK_EVERY_MS = 250;
/** Found on every Linux, owns nothing: what it can do, the image's own user can. */
const NOBODY = 65_534;
const FORBIDDEN = [
  [/\.map$/, 'a source map'],
  [/\.[cm]?ts$/, 'TypeScript'],
  [/(?:^|\/)(?:apps|libs|tools)\/.*(?:\/src\/|\.(?:spec|scenario)\.|\/testing\/)/, 'a source or a test'],
  [/(?:^|\/)\.(?:git|env|npmrc|ci)(?:\/|$)/, 'what stays at home'],
  [/node_modules\/node-(?:bin-)?(?:linux|darwin)/, "a second Node beside the base image's"],
  [/^app\/(?:apps\/(?:scenarios|distributed)|tools\/(?:bench|contracts|eventstore-double|kafka))\//, 'a tool of development'],
];

export async function checkImage({ hadolint, say }) {
  const dockerfile = join(root, 'Dockerfile');
  const lint = spawnSync(hadolint, ['--no-color', dockerfile], { encoding: 'utf8' });
  if (lint.status !== 0) throw new Error(`hadolint: ${lint.stdout}${lint.stderr}`);
  say('hadolint has nothing against the Dockerfile');

  const folder = mkdtempSync(join(tmpdir(), 'tender-image-'));
  try {
    chmodSync(folder, 0o755);
    const { stages, done, left } = follow(readDockerfile(dockerfile), {
      ...{ context: root, ignore: readIgnore(join(root, '.dockerignore')), folder },
      env: cleanEnvironment(),
    });
    for (const line of done) say(`followed   ${line}`);
    for (const line of left) say(`left out   ${line}`);
    for (const name of ['service', 'local']) inspect(stages.get(name), name, say);
    const node = join(folder, 'node');
    copyFileSync(node24(), node);
    chmodSync(node, 0o755);
    await loadPrograms(stages.get('service'), node, say);
    await runEmbedded(stages.get('local'), node, say);
    await runLocalnet(stages.get('local'), node, say);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What npm and CI say in the environment is not in an image build. */
function cleanEnvironment() {
  const kept = Object.entries(environment()).filter(
    ([name]) => !/^(?:npm_(?!config_)|NODE_ENV$|NODE_OPTIONS$|INIT_CWD$|CI$)/.test(name),
  );
  return Object.fromEntries(kept);
}

function inspect(stage, name, say) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const development = new Set(Object.keys(packages).filter((place) => packages[place].dev));
  let bytes = 0;
  const wrong = [];
  for (const path of filesBelow(stage.folder)) {
    bytes += lstatSync(join(stage.folder, path)).size;
    const found = FORBIDDEN.find(([form]) => form.test(path));
    if (found) wrong.push(`${path} is ${found[1]}`);
    const place = /^app\/(.*)\/package\.json$/.exec(path)?.[1];
    if (place && development.has(place)) wrong.push(`${path} is of a development package`);
  }
  if (wrong.length > 0) throw new Error(`the ${name} image holds ${wrong.slice(0, 5).join('; ')}`);
  say(`the ${name} image adds ${Math.round(bytes / 2 ** 20)} MiB to its base; no source, test or tool inside`);
}

/** Every program must find its modules; that a server which it needs is missing is another matter. */
async function loadPrograms(stage, node, say) {
  const apps = inside(stage, 'apps');
  const names = existsSync(apps) ? readdirSync(apps) : [];
  for (const name of names) {
    const program = start(stage, node, [`apps/${name}`], {
      ...{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', PORT: String(await freePort()) },
    });
    const ended = await Promise.race([program.ended, pause(15_000)]);
    if (!ended) await program.stop('SIGKILL');
    if (/Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND/.test(program.said())) {
      throw new Error(`apps/${name} does not find its modules in the image:\n${program.said()}`);
    }
    say(`apps/${name} loads from the image's files`);
  }
}

async function runEmbedded(stage, node, say) {
  const port = await freePort();
  const program = start(stage, node, stage.command, { PORT: String(port) });
  await served(program, `http://127.0.0.1:${port}/readyz`);
  const health = spawnSync(node, stage.healthcheck.slice(1), {
    cwd: inside(stage, '.'),
    env: { PORT: String(port) },
  });
  if (health.status !== 0) throw new Error('HEALTHCHECK says that a program which serves is ill');
  for (const path of ['/healthz', '/openapi.json', '/reference', '/reference/scalar.js']) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(20_000) });
    // Unread answers would hold up the end of the program.
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`GET ${path} of the image's files: ${answer.status}`);
  }
  const { code, signal } = await program.stop(stage.stopsignal);
  if (code !== 0) throw new Error(`after ${stage.stopsignal} it ended with ${signal ?? code}:\n${program.said()}`);
  const sick = spawnSync(node, stage.healthcheck.slice(1), { cwd: inside(stage, '.'), env: { PORT: String(port) } });
  if (sick.status !== 1) throw new Error('HEALTHCHECK says that a program which has ended is well');
  say('apps/embedded served from files that it cannot write, HEALTHCHECK agreed, SIGTERM ended it with 0');
}

async function runLocalnet(stage, node, say) {
  const port = await freePort();
  const program = start(stage, node, ['tools/localnet'], {
    LOCALNET_PORTS: `${port},${port + 2}`,
    LOCALNET_DATA_DIR: join(stage.folder, 'data', 'localnet'),
  });
  await served(program, `http://127.0.0.1:${port}/health`);
  const { code } = await program.stop(stage.stopsignal);
  if (code !== 0) throw new Error(`tools/localnet ended with ${code}:\n${program.said()}`);
  say('tools/localnet served from the image, SIGTERM ended it with 0');
}

/** ENTRYPOINT with these arguments; as nobody where we are root, so that /app is read-only as in the image. */
function start(stage, node, args, extra) {
  const data = join(stage.folder, 'data');
  mkdirSync(data, { recursive: true });
  const root_here = process.getuid?.() === 0;
  if (root_here) chownSync(data, NOBODY, NOBODY);
  const [, ...entry] = stage.entrypoint;
  const child = spawn(node, [...entry, ...args], {
    cwd: inside(stage, '.'),
    env: { PATH: process.env.PATH, ...stage.env, HOST: '127.0.0.1', DATA_DIR: data, ...extra },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(root_here ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (said = (said + chunk).slice(-20_000)));
  }
  const ended = new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const stop = async (signal) => {
    child.kill(signal);
    const deadline = setTimeout(() => child.kill('SIGKILL'), STOPPING_MS);
    const how = await ended;
    clearTimeout(deadline);
    return how;
  };
  return { ended, said: () => said, stop };
}

async function served(program, url) {
  const until = Date.now() + SERVING_MS;
  let over = null;
  void program.ended.then((how) => (over = how));
  while (Date.now() < until && !over) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    await answer?.arrayBuffer().catch(() => null);
    if (answer?.ok) return;
    await pause(LOOK_EVERY_MS);
  }
  await program.stop('SIGKILL');
  throw new Error(`${url} did not answer from the image's files:\n${program.said()}`);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms, null));

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
