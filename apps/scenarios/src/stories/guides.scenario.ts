/**
 * @landing embedded
 * @runs embedded
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { newMerchant } from '../harness/merchants';
import { sharedProgram } from '../harness/running-program';

const GUIDE = path.resolve(__dirname, '../../../../docs/take-a-payment-in-the-browser.md');

test('what the guide to a payment in the browser tells to type does what it says', async () => {
  const program = sharedProgram();
  const { key } = await newMerchant(program);
  const guide = readFileSync(GUIDE, 'utf8');
  const blocks = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands);
  expect(blocks).toHaveLength(5);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tender-guide-'));
  try {
    const said = execFileSync('bash', ['-euo', 'pipefail', '-c', blocks.join('echo\n')], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, URL: program.url, KEY: key },
    });
    expect(said).toContain('data-state="shell"');
    expect(said).toContain('"scenario":"pay"');
    expect(said).toContain('"status":"confirmed"');
    expect(said).toMatch(/"hosted_page_url":"http[^"]*\/l\/t/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
