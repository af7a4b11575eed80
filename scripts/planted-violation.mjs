// Proves that the boundaries are watched: plants imports that must not be, and demands that lint finds
// them by name. Lint that has lost its project graph would pass them in silence.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, node24 } from './node24.mjs';
import { prepare } from './prepare.mjs';
import { fail, root, say } from './terminal.mjs';

const RULE = '@nx/enforce-module-boundaries';
const PLANTS = [
  {
    what: 'a domain that imports an adapter',
    project: '@tender/payments-domain',
    folder: 'libs/payments/domain/src',
    imports: '@tender/adapter-postgres',
    complaint: 'A project tagged with "type:domain" can only depend on',
  },
  {
    what: "a context that imports another one's features",
    project: '@tender/payments-features',
    folder: 'libs/payments/features/src',
    imports: '@tender/accounts-features',
    complaint: 'A project tagged with "type:feature" can only depend on',
  },
  {
    what: "a context that imports another one's domain",
    project: '@tender/webhook-dispatcher-features',
    folder: 'libs/webhook-dispatcher/features/src',
    imports: '@tender/accounts-domain',
    complaint: 'A project tagged with "scope:webhook-dispatcher" can only depend on',
  },
  {
    what: 'a contract that imports a framework',
    project: '@tender/contracts',
    folder: 'libs/contracts/src',
    imports: '@nestjs/common',
    complaint: 'is not allowed to import "@nestjs/common"',
  },
];

const pathOf = ({ folder }) => join(root, folder, 'planted-violation.ts');
const uproot = () => PLANTS.forEach((plant) => rmSync(pathOf(plant), { force: true }));

await prepare({ built: false });
process.once('exit', uproot);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

for (const plant of PLANTS) writeFileSync(pathOf(plant), `export * from '${plant.imports}';\n`);
const { status, output } = lint(PLANTS.map(({ project }) => project));
for (const plant of PLANTS) {
  if (status === 0 || !isFound(plant, output)) {
    process.stdout.write(output);
    fail(`lint did not find ${plant.what}.`, 'The boundaries are not watched: see eslint.config.mjs.');
  }
  say(`lint found ${plant.what}`);
}

/** The complaint must stand below the planted file's own name. */
function isFound(plant, output) {
  const ofFile = output.split(pathOf(plant))[1]?.split(/\n\s*\n/, 1)[0] ?? '';
  return ofFile.includes(RULE) && ofFile.includes(plant.complaint);
}

function lint(projects) {
  const nx = join(root, 'node_modules', '.bin', 'nx');
  const args = ['run-many', '-t', 'lint', '-p', projects.join(','), '--parallel=2', '--skip-nx-cache'];
  const env = environment({ NX_DAEMON: 'false', NX_TUI: 'false', FORCE_COLOR: '0' });
  const nx_args = [nx, ...args, '--output-style=static'];
  const { status, stdout, stderr } = spawnSync(node24(), nx_args, { cwd: root, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}
