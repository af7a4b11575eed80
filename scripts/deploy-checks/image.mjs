// Builds both images as far as that goes without Docker, looks at what is inside, and runs what can be run.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment, node24 } from '../node24.mjs';
import { root, seconds } from '../terminal.mjs';
import { runDistributed } from './distributed.mjs';
import { filesBelow, follow, inside, readDockerfile, readIgnore } from './dockerfile.mjs';
import { freePort, isWell, mustEnd, served, start } from './program.mjs';

const FORBIDDEN = [
  [/\.map$/, 'a source map'],
  [/\.[cm]?ts$/, 'TypeScript'],
  [/(?:^|\/)(?:apps|libs|tools)\/.*(?:\/src\/|\.(?:spec|scenario)\.|\/testing\/)/, 'a source or a test'],
  [/(?:^|\/)\.(?:git|env|npmrc|ci)(?:\/|$)/, 'what stays at home'],
  [/node_modules\/node-(?:bin-)?(?:linux|darwin)/, "a second Node beside the base image's"],
  [/^app\/(?:apps\/(?:scenarios|distributed)|tools\/(?:bench|contracts|eventstore-double|kafka|secret-scan))\//, 'a tool of development'],
  [/^app\/dist\/(?:faulty-|distributed\.js|packages\/(?:scenarios|distributed|eventstore-double|kafka)\.js)/, 'a program of development'],
];

export async function checkImage(tools, say) {
  const dockerfile = join(root, 'Dockerfile');
  const folder = mkdtempSync(join(tmpdir(), 'tender-image-'));
  try {
    chmodSync(folder, 0o755);
    const began = Date.now();
    const { stages, done, left } = await follow(readDockerfile(dockerfile), {
      ...{ context: root, ignore: readIgnore(join(root, '.dockerignore')), folder },
      env: cleanEnvironment(),
      modules: join(root, 'node_modules'),
    });
    for (const line of done) say(`followed   ${line}`);
    for (const line of left) say(`left out   ${line}`);
    say(`laid out in ${seconds(began)}`);
    for (const name of ['service', 'local', 'signer']) inspect(stages.get(name), name, say);
    const node = join(folder, 'node');
    copyFileSync(node24(), node);
    chmodSync(node, 0o755);
    await loadPrograms(stages.get('service'), node, say);
    await loadPrograms(stages.get('signer'), node, say);
    holdsItsOwnAlone(stages.get('signer'), say);
    await runEmbedded(stages.get('local'), node, say);
    await runDistributed(stages, node, tools, say);
    lint((await tools.python).hadolint, dockerfile, say);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lint(hadolint, dockerfile, say) {
  const { status, stdout, stderr } = spawnSync(hadolint, ['--no-color', dockerfile], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`hadolint: ${stdout}${stderr}`);
  say('hadolint has nothing against the Dockerfile');
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

/** Without settings a service says in one sentence what it misses; the operator's command says how it is used. */
async function loadPrograms(stage, node, say) {
  for (const name of readdirSync(inside(stage, 'apps'))) {
    const program = start(stage, node, [`apps/${name}`], { PORT: String(await freePort()) });
    const { code } = await program.ended;
    const said = program.said().trim();
    if (/Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND/.test(said)) {
      throw new Error(`apps/${name} does not find its modules in the image:\n${said}`);
    }
    const missing = name === 'approval' ? 'PUBLIC_URL' : 'DATABASE_URL';
    const [ends, sentence] =
      name === 'signer'
        ? [64, /^signer: SIGNER_ROLE is not set: [^\n]*$/]
        : [1, new RegExp(`^${name} cannot start: ${missing} is not set\\.[^\n]*$`)];
    if (name !== 'cli' && (code !== ends || !sentence.test(said))) {
      throw new Error(`apps/${name} without settings ended with ${code}:\n${said}`);
    }
    say(`apps/${name} from the image's files: ${said.split('\n', 1)[0]}`);
  }
}

/** Beside shares of keys runs what was looked at: the packages of its list. */
function holdsItsOwnAlone(stage, say) {
  const listed = readFileSync(join(root, 'apps', 'signer', 'packages.txt'), 'utf8').trim().split('\n');
  const known = new Set(listed.map((line) => line.slice(0, line.indexOf('@', 1))));
  const own = inside(stage, 'node_modules');
  const names = readdirSync(own).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(own, name)).map((one) => `${name}/${one}`) : [name],
  );
  const foreign = names.filter((name) => !name.startsWith('@tender/') && !known.has(name));
  if (foreign.length > 0) throw new Error(`the signer image holds ${foreign.slice(0, 5).join(', ')}`);
  const links = names.filter((name) => name.startsWith('@tender/')).sort();
  say(`the signer image holds ${known.size} packages and ${links.join(', ')}`);
}

async function runEmbedded(stage, node, say) {
  const port = await freePort();
  const program = start(stage, node, stage.command, { PORT: String(port) });
  await served(program, `http://127.0.0.1:${port}/readyz`);
  if (!isWell(stage, node, port)) throw new Error('HEALTHCHECK says that a program which serves is ill');
  for (const path of ['/healthz', '/openapi.json', '/reference', '/reference/scalar.js']) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(20_000) });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`GET ${path} of the image's files: ${answer.status}`);
  }
  await mustEnd(program, stage.command[0]);
  if (isWell(stage, node, port)) throw new Error('HEALTHCHECK says that a program which has ended is well');
  say('apps/embedded served from files that it cannot write, HEALTHCHECK agreed, SIGTERM ended it with 0');
}
