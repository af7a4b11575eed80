// npm run compose:env: writes the secrets that docker-compose.yml asks for into .env (or the file that is named), once,
// for its owner alone.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root, say } from './terminal.mjs';

const FILE = process.argv[2] ?? join(root, '.env');
/** Letters and digits only: some of these stand in URLs. */
const secret = () => randomBytes(32).toString('hex');

const lines = [
  '# Secrets of the containers on this machine. MASTER_KEY opens what the volumes hold: keep it as long as them.',
  `POSTGRES_PASSWORD=${secret()}`,
  `MASTER_KEY=${secret()}`,
  `INTERNAL_SECRET=${secret()}`,
  `ADMIN_TOKEN=svc_admin_${secret()}`,
  `GRAFANA_PASSWORD=${secret()}`,
];

try {
  // Never over an old one: without its MASTER_KEY the volumes would be closed for ever.
  writeFileSync(FILE, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
} catch (error) {
  if (error.code !== 'EEXIST') throw error;
  fail(`${FILE} is there already and is kept.`, 'Run `docker compose up --build --wait` next.');
}
say(`${FILE} holds fresh secrets.`);
const address = `http://127.0.0.1:${process.env.TENDER_PORT || 8080}`;
say(`Run "docker compose up --build --wait" next; the API is on ${address}.`);
