// `node --conditions=source -r scripts/typescript-hook.cjs x.ts` runs TypeScript without a build: for
// tests that need a process of their own. The same translation as jest's.
const fs = require('node:fs');
const transformer = require('./jest-transformer.cjs');

require.extensions['.ts'] = (module, file) => {
  module._compile(transformer.process(fs.readFileSync(file, 'utf8'), file).code, file);
};
