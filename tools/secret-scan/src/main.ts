import path from 'node:path';
import { ALLOWED } from './allowed';
import { scan } from './scan';
import { hasWholeHistory } from './texts';

const ROOT = path.resolve(__dirname, '../../..');

/** Looks for secrets in what would be committed; with `--history` also in every commit. Fails where it finds one. */
async function main(): Promise<void> {
  const history = process.argv.includes('--history');
  const { texts, found, unused } = await scan(ROOT, ALLOWED, history);
  for (const line of found) console.error(line);
  for (const { path: file, fingerprint } of unused) {
    console.error(`tools/secret-scan/src/allowed.ts: ${fingerprint} of ${file} is found nowhere; take it out`);
  }
  console.error(`secrets: looked into ${texts} texts${history ? ofHistory() : ''}`);
  if (found.length === 0 && unused.length === 0) return;
  console.error('CONTRIBUTING.md, "When a secret is found", says what to do.');
  process.exitCode = 1;
}

const ofHistory = (): string =>
  hasWholeHistory(ROOT) ? ', those of the whole history among them' : '; the history here is not whole';

void main();
