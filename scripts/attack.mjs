// npm run attack: builds what is missing, then plays every attack on started signers. The tables of attacks are of the
// tests, which are not built, so the suite runs from its sources; the signers that it attacks are the built ones.
import { join } from 'node:path';
import { environment, node24 } from './node24.mjs';
import { prepare } from './prepare.mjs';
import { root, run } from './terminal.mjs';

const HOOK = join(root, 'scripts', 'typescript-hook.cjs');
const MAIN = join(root, 'tools', 'attack', 'src', 'main.ts');

await prepare();
const args = ['--conditions=source', '-r', HOOK, MAIN, ...process.argv.slice(2)];
process.exitCode = await run(node24(), args, { env: environment() });
