/** @takes minutes */
import { END_MS, RepositoryCopy } from './testing/repository-copy';

let copy: RepositoryCopy;
beforeAll(() => {
  copy = RepositoryCopy.make();
});
afterAll(() => copy?.remove());

const generate = (generator: string, ...args: readonly string[]) =>
  copy.node('node_modules/.bin/nx', 'g', `./tools/generators:${generator}`, ...args);
const compile = (...args: readonly string[]) =>
  copy.node('node_modules/typescript7/bin/tsc', ...args, '--pretty', 'false');

/** Where something is generated, or put in. */
const CHANGED = [
  ...['libs/loyalty', 'libs/customer-care', 'libs/contracts', 'libs/composition'],
  ...['apps/loyalty', 'apps/gateway', 'apps/scenarios', 'tools/demo'],
];

/** What comes with the generated ones, and what compares the repository with the catalogue. */
const TESTS = [
  ...['libs/loyalty/', 'libs/customer-care/domain', 'publish-customer-care', 'stories/coupons'],
  ...['stories/strangers', 'static-files', 'composition', 'contract-files', 'recorded-facts', 'object-ids'],
];

test('one of each is generated', () => {
  generate('context', 'loyalty', '--service');
  generate('aggregate', 'loyalty', 'coupon');
  generate('command', 'loyalty', 'coupon', 'ArchiveCoupon');
  generate('listing', 'loyalty', 'coupon');
  generate('context', 'customer-care', '--noun', 'support-inquiry');
});

test('what there is already is not generated again', () => {
  expect(() => generate('context', 'loyalty')).toThrow('There is a context loyalty.');
});

const compiles = (): void => {
  compile('-b');
  compile('-p', 'tsconfig.spec.json');
};
test('the compiler takes it', compiles, END_MS);

test('lint takes it', () => {
  const lint = `
    import { lint } from './scripts/lint.mjs';
    const { ok, output } = await lint(${JSON.stringify(CHANGED)});
    process.stdout.write(output);
    process.exitCode = ok ? 0 : 1;
  `;
  copy.node('--input-type=module', '-e', lint);
});

const passes = (): void => {
  // Jest keeps what it has translated by the folder of the repository: here it would not be used again.
  const cache = `--cacheDirectory=${copy.at('.nx/jest')}`;
  const said = copy.node('scripts/test.mjs', cache, TESTS.join('|'));
  expect(said).toMatch(/^[1-9]\d* passed, 0 failed$/m);
};
test('its specs, slices and story pass, and so do those that look at all contexts', passes, END_MS);
