// node scripts/check-deploy.mjs [compose] [helm] [image]: checks the deployment files as far as that goes without a
// Docker engine or a cluster. Needs Go, Python, Java and Maven (its tools are kept in the user's cache), so `npm test`
// does not call it.
import { fileURLToPath } from 'node:url';
import { checkCompose } from './deploy-checks/compose.mjs';
import { checkHelm } from './deploy-checks/helm.mjs';
import { checkImage } from './deploy-checks/image.mjs';
import { deployTools } from './deploy-checks/tools.mjs';
import { environment, isNode24, node24 } from './node24.mjs';
import { prepare } from './prepare.mjs';
import { fail, run, say, seconds } from './terminal.mjs';

const CHECKS = { compose: checkCompose, helm: checkHelm, image: checkImage };

const asked = process.argv.slice(2);
// It starts parts of the program in this process, and the program runs on Node 24.
if (!isNode24) {
  await prepare({ built: false });
  process.exit(await run(node24(), [fileURLToPath(import.meta.url), ...asked], { env: environment() }));
}
await prepare({ built: asked.length === 0 || asked.includes('image') });
const names = asked.length > 0 ? asked : Object.keys(CHECKS);
const unknown = names.find((name) => !Object.hasOwn(CHECKS, name));
if (unknown) fail(`there is no check called ${unknown}.`, `There are: ${Object.keys(CHECKS).join(', ')}.`);

const failed = [];
// The image has little to do with the tools: it is laid out while they are built.
const tools = deployTools();
await Promise.all(names.map((name) => attempt(name, () => CHECKS[name](tools, (line) => say(`${name}: ${line}`)))));
if (failed.length > 0) fail(`the deployment files are not as they should be: ${failed.join(', ')}.`);
say('the deployment files are as they should be; no engine and no cluster has run them');

async function attempt(name, check) {
  const started = Date.now();
  try {
    await check();
  } catch (error) {
    say(`${name}: ${error.message}`);
    failed.push(name);
  } finally {
    say(`${name}: ${seconds(started)}`);
  }
}
