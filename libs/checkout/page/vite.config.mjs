// What browsers load of the checkout: for each kind of page one script, named by the hash of what it holds, with its
// compressed forms; and one style, which the server writes into every page. What two scripts share is in both: a page
// asks for one.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const out = join(import.meta.dirname, 'dist', 'browser');

const scripts = (manifest, input, emptyOutDir) => ({
  consumer: 'client',
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
  base: '/checkout/assets/',
  logLevel: 'warn',
  publicDir: false,
  resolve: { conditions: ['source', 'module', 'browser', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  environments: {
    client: scripts('manifest.json', ['src/browser/main.tsx', 'src/style.css'], true),
    plan: scripts('plan-manifest.json', ['src/browser/subscribe.ts'], false),
  },
  builder: {
    async buildApp({ build, environments: { client, plan } }) {
      await build(client);
      await build(plan);
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
