import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileKeyRing, systemClock, systemRandom } from '@tender/adapter-system';
import { postgresEventStore, postgresSubjectKeys } from '@tender/adapter-postgres';
import { patient, silentLog } from '@tender/adapter-postgres/testing';
import { AUDIT_STREAM, recordAdminChange } from '@tender/eventing';
import { OpsStage } from '../testing/ops-stage';

const stage = new OpsStage();
let data_dir: string;

beforeEach(() => {
  data_dir = mkdtempSync(path.join(tmpdir(), 'tender-audit-'));
});
afterEach(() => rmSync(data_dir, { recursive: true, force: true }));

const verify = () => stage.tender('ops audit verify', [], { DATA_DIR: data_dir });

/** Changes as admin routes write them down. */
async function write(...reasons: readonly string[]) {
  await writeAll(reasons.map((reason) => ({ reason, command_id: reason, body_hash: 'b' })));
}

interface Written {
  readonly reason: string;
  readonly command_id: string;
  readonly body_hash: string;
}

async function writeAll(entries: readonly Written[]) {
  const [clock, random] = [systemClock(), systemRandom()];
  const connectionString = stage.database_url;
  const eventStore = postgresEventStore({ connectionString, clock, log: silentLog, ...patient });
  const subjectKeys = postgresSubjectKeys(stage.readModels);
  const keyRing = fileKeyRing({ dir: path.join(data_dir, 'keys'), clock, subjectKeys });
  await eventStore.start();
  for (const { reason, ...asked } of entries) {
    const request = { actor: 'admin', ...asked, correlation_id: 'c' };
    const change = { reason, route: 'POST /admin/fraud/rules', what: { code: 'x' } };
    await recordAdminChange({ eventStore, clock, random, keyRing }, request, change);
  }
  await eventStore.close();
  keyRing.close();
}

const tamper = (revision: number, set: string) =>
  stage.readModels.query(`update log.events set ${set} where stream = $1 and revision = $2`, [
    ...[AUDIT_STREAM, revision],
  ]);
const withReason = (reason: string) =>
  `data = jsonb_set(data::jsonb, '{reason}', '"${reason}"')::text::json`;

test('changes as they were written are whole; the same request is one entry', async () => {
  await write('one', 'two', 'two', 'three');
  const { code, said } = await verify();
  expect([code, JSON.parse(said.join(''))]).toMatchObject([0, { entries: 3, broken: null }]);
});

test('what comes with another body under a key that was used is an entry of its own', async () => {
  await writeAll([
    { reason: 'one', command_id: 'k', body_hash: 'harmless' },
    { reason: 'two', command_id: 'k', body_hash: 'not harmless' },
  ]);
  expect(JSON.parse((await verify()).said.join(''))).toMatchObject({ entries: 2, broken: null });
});

test.each([
  ['an entry in the middle that says something else', 1, withReason('harmless'), 2],
  ['the last one', 2, withReason('harmless'), 3],
])('%s is named', async (_, revision, set, number) => {
  await write('one', 'two', 'three');
  await tamper(revision, set);
  const { code, complaints } = await verify();
  expect([code, complaints.join('')]).toEqual([
    ...[1, expect.stringContaining(`Entry ${number} of the audit log is broken`) as string],
  ]);
});

test('an entry that was taken out is missed', async () => {
  await write('one', 'two', 'three');
  await stage.readModels.query('delete from log.events where stream = $1 and revision = 1', [
    AUDIT_STREAM,
  ]);
  expect((await verify()).complaints.join('')).toContain('Entry 2 of the audit log is broken');
});

test('without the keys that made the seals nothing is verified', async () => {
  expect((await verify()).complaints.join('')).toContain('DATA_DIR');
});
