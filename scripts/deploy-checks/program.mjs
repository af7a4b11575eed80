// A program of the image, run from the folder where the image's files lie.
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { inside } from './dockerfile.mjs';

const SERVING_MS = 120_000;
/** The grace period of docker-compose.yml. */
const STOPPING_MS = 35_000;
const LOOK_EVERY_MS = 250;
/** Found on every Linux, owns nothing: what it can do, the image's own user can. */
const NOBODY = 65_534;

/** ENTRYPOINT with these arguments; as user nobody where we are root, so that /app is read-only as in the image. */
export function start(stage, node, args, extra) {
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
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  const stop = async (signal) => {
    child.kill(signal);
    const deadline = setTimeout(() => child.kill('SIGKILL'), STOPPING_MS);
    const how = await ended;
    clearTimeout(deadline);
    return how;
  };
  return { ended, said: () => said, stop: () => stop(stage.stopsignal), kill };
}

export async function served(program, url) {
  const until = Date.now() + SERVING_MS;
  let over = null;
  void program.ended.then((how) => (over = how));
  while (Date.now() < until && !over) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    await answer?.arrayBuffer().catch(() => null);
    if (answer?.ok) return;
    await pause(LOOK_EVERY_MS);
  }
  program.kill();
  throw new Error(`${url} did not answer from the image's files:\n${program.said()}`);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms, null));

export async function freePort() {
  // Below those that outgoing connections take; a local chain takes the next one, too.
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 17_000);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** What the image's HEALTHCHECK says of the program on this port. */
export function isWell(stage, node, port) {
  const [, ...args] = stage.healthcheck;
  const { status } = spawnSync(node, args, { cwd: inside(stage, '.'), env: { PORT: String(port) } });
  return status === 0;
}

/** STOPSIGNAL ends it, with exit code 0. */
export async function mustEnd(program, name) {
  const { code, signal } = await program.stop();
  if (code !== 0) throw new Error(`${name} ended with ${signal ?? code} when it was stopped:\n${program.said()}`);
}
