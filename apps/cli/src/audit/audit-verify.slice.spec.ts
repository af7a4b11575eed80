import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
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
  expect([code, JSON.parse(said.join(''))]).toMatchObject([
    ...[0, { entries: 3, witnessed_up_to: 3, broken: null }],
  ]);
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

const cut = (from: number) =>
  stage.readModels.query('delete from log.events where stream = $1 and revision >= $2', [
    ...[AUDIT_STREAM, from],
  ]);
const witness = () => path.join(data_dir, 'keys', 'audit.witness');

test.each([
  [2, 3],
  [1, 2],
  [0, 1],
])('entries that were cut off at the end, from revision %i on, are missed', async (from, number) => {
  await write('one', 'two', 'three');
  await cut(from);
  const { code, complaints } = await verify();
  expect([code, complaints.join('')]).toEqual([
    1,
    expect.stringContaining(
      `Entry ${number} of the audit log is broken: it is gone, and so is what was written up to entry 3`,
    ) as string,
  ]);
});

test('what is written in the place of entries that were cut off is not taken for them', async () => {
  await write('one', 'two', 'three');
  await cut(1);
  await write('harmless', 'harmless, too');
  expect((await verify()).complaints.join('')).toContain(
    'Entry 2 of the audit log is broken: it is not the one that was written down',
  );
});

test('a line that a crash has torn spoils no other', async () => {
  await write('one');
  appendFileSync(witness(), '\n2 ab12');
  await write('two');
  expect(JSON.parse((await verify()).said.join(''))).toMatchObject({ witnessed_up_to: 2 });
  await cut(1);
  expect((await verify()).complaints.join('')).toContain('Entry 2 of the audit log is broken');
});

test('a log that is older than its witness says how much of it is witnessed', async () => {
  await write('one', 'two');
  rmSync(witness());
  expect(JSON.parse((await verify()).said.join(''))).toMatchObject({
    ...{ entries: 2, witnessed_up_to: 0, broken: null },
  });
  await write('three');
  expect(JSON.parse((await verify()).said.join(''))).toMatchObject({ witnessed_up_to: 3 });
  expect(statSync(witness()).mode & 0o777).toBe(0o600);
});

test('without the keys that made the seals nothing is verified', async () => {
  expect((await verify()).complaints.join('')).toContain('DATA_DIR');
});
