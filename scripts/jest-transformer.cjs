// TypeScript (with decorator metadata) and ESM-only packages become CommonJS; everything else is left as it is.
// Jest cannot require() an ES module, and Nest 12, undici 8 and others ship nothing else.
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const swc = require('@swc/core');

const TYPESCRIPT = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  swcrc: false,
};
/** Pages are written with Preact's JSX. */
const PAGE = {
  ...TYPESCRIPT,
  jsc: {
    ...TYPESCRIPT.jsc,
    parser: { ...TYPESCRIPT.jsc.parser, tsx: true },
    transform: { react: { runtime: 'automatic', importSource: 'preact' } },
  },
};
const optionsOf = (file) => (file.endsWith('x') ? PAGE : TYPESCRIPT);
const ES_MODULE = {
  jsc: { parser: { syntax: 'ecmascript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  swcrc: false,
};

/**
 * Each module makes its own `exports`, in the context of its spec. Jest makes them all in one context, where V8 keeps the
 * exports of a module that a second spec loads as a dictionary, because their getters are not those of the first: each
 * use of an import is then a call that is never inlined, and hashing takes five times as long.
 */
const withOwnExports = (code) => code.replace('"use strict";', '"use strict";exports=module.exports={};');

const packageTypes = new Map();

function isModuleFolder(folder) {
  if (packageTypes.has(folder)) return packageTypes.get(folder);
  const manifest = path.join(folder, 'package.json');
  const parent = path.dirname(folder);
  let answer;
  if (fs.existsSync(manifest)) answer = JSON.parse(fs.readFileSync(manifest, 'utf8')).type === 'module';
  else answer = parent === folder ? false : isModuleFolder(parent);
  packageTypes.set(folder, answer);
  return answer;
}

const ownVersion = crypto
  .createHash('sha1')
  .update(fs.readFileSync(__filename))
  .update(require('@swc/core/package.json').version)
  .digest('hex');

module.exports = {
  canInstrument: false,
  getCacheKey: (source, file) =>
    crypto.createHash('sha1').update(ownVersion).update(file).update(source).digest('hex'),
  process(source, file) {
    const translated = (options) => withOwnExports(swc.transformSync(source, { ...options, filename: file }).code);
    if (/\.tsx?$/.test(file)) return { code: translated(optionsOf(file)) };
    const esm = file.endsWith('.mjs') || (file.endsWith('.js') && isModuleFolder(path.dirname(file)));
    return { code: esm ? translated(ES_MODULE) : source };
  },
};
