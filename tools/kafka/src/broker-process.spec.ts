import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBroker } from './broker-process';

const SECRET = 'a secret of the operator’s shell';
const { env } = process;

let folder: string;
let before: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tender-broker-'));
  before = { ...env };
});
afterEach(() => {
  for (const name of Object.keys(env)) if (!(name in before)) delete env[name];
  Object.assign(env, before);
  rmSync(folder, { recursive: true });
});

test('the broker’s process does not hold a secret of its parent', async () => {
  const java = join(folder, 'java');
  writeFileSync(java, '#!/bin/sh\nexec sleep 600\n');
  chmodSync(java, 0o700);
  Object.assign(env, { PATH: `${folder}:${env['PATH']}`, JAVA_HOME: folder, SOME_TOKEN: SECRET });
  const broker = await launchBroker(folder, join(folder, 'server.properties'));
  const held = readFileSync(`/proc/${broker.pid}/environ`, 'utf8');
  await broker.kill();
  expect(held).toContain(`JAVA_HOME=${folder}`);
  expect(held).not.toContain(SECRET);
});
