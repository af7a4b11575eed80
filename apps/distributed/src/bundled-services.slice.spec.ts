import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SERVICES } from '@tender/contracts';

const ROOT = path.resolve(__dirname, '../../..');
const BUNDLES = path.join(ROOT, 'dist');
/** What `scripts/bundle.mjs` leaves apart, and binaries that their own package finds. */
const APART = new Set(['kafkajs', 'bufferutil']);

/** In a process of its own, which runs none of them. */
function loadedBy(names: readonly string[]): string[] {
  const mains = names.map((name) => path.join(BUNDLES, `${name}.js`));
  const code = `${JSON.stringify(mains)}.forEach((main) => require(main));
    process.stdout.write(JSON.stringify(Object.keys(require.cache)), () => process.exit());`;
  const env = { ...process.env, NODE_OPTIONS: '' };
  return JSON.parse(execFileSync(process.execPath, ['-e', code], { cwd: ROOT, encoding: 'utf8', env })) as string[];
}

let loaded: readonly string[];
beforeAll(() => {
  loaded = loadedBy(SERVICES);
});

test('services load their bundles and nothing twice: no module comes from where the compiler has written it', () => {
  expect(loaded.length).toBeGreaterThan(SERVICES.length);
  const elsewhere = loaded.filter((file) => !file.startsWith(`${BUNDLES}${path.sep}`));
  const packages = elsewhere.map((file) => /.*node_modules\/([^/]+)\//.exec(file)?.[1] ?? file);
  expect(packages.filter((name) => !APART.has(name))).toEqual([]);
});

test('no service loads at its start what it may never need', () => {
  const names = loaded.map((file) => path.basename(file, '.js'));
  expect(names).toContain('accounts-features');
  const late = ['typeorm', 'simplewebauthn-server', 'libphonenumber-js'];
  expect(names.filter((name) => late.includes(name))).toEqual([]);
});

test('code that the compiler has made strict stays strict', () => {
  for (const name of ['kernel', 'payments-domain', 'payments-features', 'runtime']) {
    const text = readFileSync(path.join(BUNDLES, 'packages', `${name}.js`), 'utf8');
    expect([name, text.slice(0, 12)]).toEqual([name, '"use strict"']);
  }
});

test('Node keeps the text of each bundle with one byte for a character: none is beyond ASCII', () => {
  const { embedded } = JSON.parse(readFileSync(path.join(BUNDLES, 'files.json'), 'utf8')) as {
    embedded: string[];
  };
  expect(embedded.length).toBeGreaterThan(100);
  const isWide = (file: string) => /[^\x00-\x7f]/.test(readFileSync(path.join(BUNDLES, file), 'utf8'));
  expect(embedded.filter(isWide)).toEqual([]);
});
