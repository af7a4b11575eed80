// nx loads generators with the Node that it runs on, before anything is built: their TypeScript is translated as that of
// tests. What they must know of the repository is handed to them, because packages by name would be those of a build.
require('../../scripts/typescript-hook.cjs');
const { addressSetting, CONTEXTS, SERVICES } = require('../../libs/contracts/src/contexts.ts');
const { completed, staticFilesOf } = require('../contracts/src/static-files.ts');
const generators = require('./src/index.ts');

const house = { addressSetting, contexts: CONTEXTS, services: SERVICES, completed, staticFilesOf };

/** Once the files are written: links to new workspaces, and the documents that are made from the contracts. */
async function finish() {
  const { environment, node24 } = await import('../../scripts/node24.mjs');
  generators.finish(node24(), environment());
}

const generator = (change) => (tree, options) => {
  change(tree, options, house);
  return finish;
};

module.exports = {
  context: generator(generators.context),
  aggregate: generator(generators.aggregate),
  command: generator(generators.command),
  listing: generator(generators.listing),
};
