import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signerPackages } from './testing/packages';

const LIST = join(__dirname, '../packages.txt');
const COUNT_MAX = 30;

test('a signer loads few packages, and those that were looked at', () => {
  const found = signerPackages();
  expect(found.length).toBeLessThan(COUNT_MAX);
  // What is new here runs beside shares of keys: look at it, then write its line into packages.txt.
  expect(`${found.join('\n')}\n`).toBe(readFileSync(LIST, 'utf8'));
});
