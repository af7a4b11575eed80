// Proves that lint watches the boundaries: plants forbidden imports, and fails unless lint finds
// them by name. Lint that has lost its project graph would let them pass in silence.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lint } from './lint.mjs';
import { prepare } from './prepare.mjs';
import { fail, root, say } from './terminal.mjs';

const RULE = '@nx/enforce-module-boundaries';
const PLANTS = [
  {
    what: 'a domain that imports an adapter',
    folder: 'libs/payments/domain/src',
    imports: '@tender/adapter-postgres',
    complaint: 'A project tagged with "type:domain" can only depend on',
  },
  {
    what: "a context that imports another one's features",
    folder: 'libs/payments/features/src',
    imports: '@tender/accounts-features',
    complaint: 'A project tagged with "type:feature" can only depend on',
  },
  {
    what: "a context that imports another one's domain",
    folder: 'libs/webhook-dispatcher/features/src',
    imports: '@tender/accounts-domain',
    complaint: 'A project tagged with "scope:webhook-dispatcher" can only depend on',
  },
  {
    what: 'a contract that imports a framework',
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
// These files alone: that everything else passes is what `npm run check` says.
const { ok, output } = await lint(PLANTS.map(pathOf));
for (const plant of PLANTS) {
  if (ok || !isFound(plant)) {
    process.stdout.write(output);
    fail(`lint did not find ${plant.what}.`, 'The boundaries are not watched: see eslint.config.mjs.');
  }
  say(`lint found ${plant.what}`);
}

/** The complaint must stand below the planted file's own name. */
function isFound(plant) {
  const ofFile = output.split(pathOf(plant))[1]?.split(/\n\s*\n/, 1)[0] ?? '';
  return ofFile.includes(RULE) && ofFile.includes(plant.complaint);
}
