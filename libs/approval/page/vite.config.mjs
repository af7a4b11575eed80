// What browsers load of the approval origin: for each page one script at once, and the one that makes keys when it is
// needed. What two scripts share is in both: a page asks for one.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const out = join(import.meta.dirname, 'dist', 'served');

const scripts = (manifest, input, emptyOutDir) => ({
  consumer: 'client',
  resolve: { conditions: ['source', 'module', 'browser', 'import', 'default'] },
  build: {
    outDir: out,
    emptyOutDir,
    assetsDir: '',
    manifest,
    target: 'es2022',
    modulePreload: false,
    rollupOptions: { input },
  },
});

export default {
  root: import.meta.dirname,
  base: '/assets/',
  logLevel: 'warn',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  environments: {
    client: scripts('manifest.json', ['src/browser/main.tsx', 'src/style.css'], true),
    approve: scripts('approve-manifest.json', ['src/browser/approve.tsx'], false),
  },
  builder: {
    async buildApp({ build, environments: { client, approve } }) {
      await build(client);
      await build(approve);
      compress();
    },
  },
};

function compress() {
  for (const name of readdirSync(out).filter((one) => one.endsWith('.js'))) {
    const bytes = readFileSync(join(out, name));
    writeFileSync(join(out, `${name}.br`), brotliCompressSync(bytes));
    writeFileSync(join(out, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}
