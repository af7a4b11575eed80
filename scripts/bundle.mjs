// Each app but the signer as one file for every package that it loads, some 170 in place of 1,900: Node takes less than
// half the time to load them. Reads what the compiler has written; `dist/payments.js` is the program of apps/payments.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { root } from './terminal.mjs';

const FOLDER = join(root, 'dist');
const PACKAGES = 'packages';
const FILES = join(FOLDER, 'files.json');
/** Its files are those that its list of packages says. */
const SIGNER = 'signer';
/** What is started by its path and is no app of its own, such as a thread; programs with faults are for tests. */
const OTHERS = {
  'embedded-work': 'apps/embedded/dist/work-main.js',
  'faulty-embedded': 'apps/scenarios/dist/faults/faulty-main.js',
  'faulty-work': 'apps/scenarios/dist/faults/faulty-work.js',
  'faulty-service': 'apps/scenarios/dist/faults/faulty-service.js',
};
/** Stay packages: a file of the first one is looked for by its path, the other one is for development only. */
const APART = /^(?:kafkajs|testcontainers)(?:\/|$)/;

/** `{ name: path }` of what the compiler has written of each program. */
function entries() {
  const apps = readdirSync(join(root, 'apps')).filter((name) => name !== SIGNER);
  const mains = apps.map((name) => [name, join(root, 'apps', name, 'dist', 'main.js')]);
  const others = Object.entries(OTHERS).map(([name, path]) => [name, join(root, path)]);
  return Object.fromEntries([...mains, ...others].filter(([, path]) => existsSync(path)));
}

async function bundle() {
  const input = entries();
  const programs = new Set(Object.values(input));
  const sloppy = new Set();
  const made = await rolldown({
    input,
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    resolve: { conditionNames: ['node', 'require', 'default'], mainFields: ['main'] },
    external: APART,
    plugins: [leaveTelephoneOut, missingStaysOutside, findSloppy(sloppy), placesStay(programs)],
  });
  const { output } = await made.write({
    dir: FOLDER,
    cleanDir: true,
    format: 'cjs',
    // Rolldown leaves the directives of modules out.
    banner: ({ moduleIds }) => (moduleIds.some((id) => sloppy.has(id)) ? '' : "'use strict';"),
    entryFileNames: '[name].js',
    // Node keeps the text of every file in each thread, with two bytes for each character where one is beyond ASCII.
    charset: 'ascii',
    comments: false,
    chunkFileNames: `${PACKAGES}/[name].js`,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: (id) => (programs.has(id) ? null : packageOf(id)), debugName: 'packages' }],
    },
  });
  await made.close();
  writeFileSync(FILES, JSON.stringify(filesByProgram(output), null, 2));
}

/** What class-validator knows of telephone numbers: 2 MB in each thread, for a check that no contract makes. */
const TELEPHONE = { module: 'libphonenumber-js/max', check: /isPhoneNumber/i };
const leaveTelephoneOut = {
  name: 'leave-telephone-out',
  resolveId: (id) => (id === TELEPHONE.module ? `\0${id}` : null),
  load: (id) => (id === `\0${TELEPHONE.module}` ? 'module.exports = {};' : null),
  transform(code, id) {
    const is_ours = !id.includes('/node_modules/');
    if (is_ours && TELEPHONE.check.test(code)) this.error(`isPhoneNumber needs ${TELEPHONE.module} in bundles`);
  },
};

/** Packages offer to work with others that are not installed: that comes to light where one of them is asked for. */
const missingStaysOutside = {
  name: 'missing-stays-outside',
  resolveId: {
    order: 'post',
    async handler(id, importer, options) {
      if (!importer || /^[./]/.test(id)) return null;
      return (await this.resolve(id, importer, { ...options, skipSelf: true })) ?? { id, external: true };
    },
  },
};

/** Modules that were written for the sloppy mode keep it, with the rest of their package. */
const findSloppy = (sloppy) => ({
  name: 'find-sloppy',
  transform(code, id) {
    const is_strict = /^(?:#!.*\n|\s|\/\/.*\n|\/\*[^]*?\*\/)*["']use strict["']/.test(code);
    if (!is_strict && !/^\s*(?:import|export)\b/m.test(code)) sloppy.add(id);
    return null;
  },
});

/** A module that reads the files beside it finds them where they were. */
const placesStay = (programs) => ({
  name: 'places-stay',
  transform(code, id) {
    if (!/(?<!\w)__(?:dirname|filename)\b/.test(code) || /(?:const|let|var) __(?:dirname|filename)\b/.test(code)) return null;
    const home = programs.has(id) ? FOLDER : join(FOLDER, PACKAGES);
    const placed = (path) => `require("node:path").join(__dirname, ${JSON.stringify(relative(home, path))})`;
    const paths = { __dirname: placed(dirname(id)), __filename: placed(id) };
    return { code: code.replace(/(?<![\w'"`.])__(?:dirname|filename)\b(?!['"`])/g, (name) => paths[name]), map: null };
  },
});

/** `nestjs-core`, `payments-features`: a name for its file. */
function packageOf(id) {
  const [, foreign] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
  const [, own] = /^(?:apps|libs|tools)\/(.*?)\/dist\//.exec(relative(root, id)) ?? [];
  return (foreign ?? own)?.replace('@', '').replaceAll('/', '-') ?? null;
}

/** `{ payments: ['payments.js', 'packages/contracts.js', …] }`. */
function filesByProgram(output) {
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const reach = (name, found) => {
    if (found.has(name) || !chunks.has(name)) return found;
    found.add(name);
    const { imports, dynamicImports } = chunks.get(name);
    for (const next of [...imports, ...dynamicImports]) reach(next, found);
    return found;
  };
  const programs = output.filter(({ isEntry }) => isEntry);
  return Object.fromEntries(programs.map(({ name, fileName }) => [name, [...reach(fileName, new Set())].sort()]));
}

/** Of these programs, every file, by its path from the project’s folder. */
export function bundledFiles(names) {
  const files = JSON.parse(readFileSync(FILES, 'utf8'));
  return [...new Set(names.flatMap((name) => files[name]))].map((file) => join('dist', file));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await bundle();
