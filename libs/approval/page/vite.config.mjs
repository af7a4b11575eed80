// What browsers load of the approval origin: one script at once, and the one that makes keys when it is needed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const out = join(import.meta.dirname, 'dist', 'served');

export default {
  root: import.meta.dirname,
  base: '/assets/',
  logLevel: 'warn',
  publicDir: false,
  resolve: { conditions: ['source', 'module', 'browser', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: out,
    emptyOutDir: true,
    assetsDir: '',
    manifest: 'manifest.json',
    target: 'es2022',
    modulePreload: false,
    rollupOptions: { input: ['src/browser/main.tsx', 'src/style.css'] },
  },
  plugins: [{ name: 'compress', writeBundle: compress }],
};

function compress() {
  for (const name of readdirSync(out).filter((one) => one.endsWith('.js'))) {
    const bytes = readFileSync(join(out, name));
    writeFileSync(join(out, `${name}.br`), brotliCompressSync(bytes));
    writeFileSync(join(out, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}
