import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/**
 * How Vite builds what browsers load of a project’s pages: for each page one script at once, named by the hash of what
 * it holds, with its compressed forms. What two scripts share is in both: a page asks for one.
 * `pages`: by manifest, the sources that the build begins with. `base`: where browsers load from.
 */
export function pagesBuild({ root, folder, base, pages }) {
  const out = join(root, 'dist', folder);
  const environments = Object.entries(pages).map(([manifest, input], place) => [
    // Vite has one of that name in any case.
    place === 0 ? 'client' : `page${place}`,
    {
      consumer: 'client',
      // Of each: what stands above them counts for the first alone.
      resolve: { conditions: ['source', 'module', 'browser', 'import', 'default'] },
      build: {
        ...{ outDir: out, emptyOutDir: place === 0, assetsDir: '', manifest },
        ...{ target: 'es2022', modulePreload: false, rollupOptions: { input } },
      },
    },
  ]);
  return {
    ...{ root, base, logLevel: 'warn', publicDir: false },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    environments: Object.fromEntries(environments),
    builder: {
      async buildApp(builder) {
        // The first one empties the folder.
        for (const [name] of environments) await builder.build(builder.environments[name]);
        compress(out);
      },
    },
  };
}

function compress(folder) {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.js'))) {
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}
