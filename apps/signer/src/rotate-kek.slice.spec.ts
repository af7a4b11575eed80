import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { rotateKek } from '@tender/signer-features';
import { localKeyEncryption, type Roster } from '@tender/threshold';
import { Client } from 'pg';
import {
  paidIn, runProgram, Transfers, type Program,
} from '../../../tools/attack/src/stage';
import { openKek, openNextKek } from './files/kek-source';
import { rotateKekOf } from './rotate-kek';
import { TYPESCRIPT } from './testing/recovery-process';
import { SignerStage } from './testing/signer-stage';

const USDC = 1_000_000n;
const MAIN = join(__dirname, 'main.ts');

let stage: SignerStage;
let rosters: readonly Roster[];
beforeAll(async () => {
  stage = await SignerStage.open();
  rosters = [await opened(), await opened()];
});
afterAll(() => stage.close());

const opened = (): Promise<Roster> =>
  stage.treasury.openWallet({ A: stage.identityKey('A'), B: stage.identityKey('B') });
const putNext = (bytes = randomBytes(32)): void =>
  writeFileSync(join(stage.folders.B, 'kek.next'), bytes, { mode: 0o600 });
const kekId = (): string => openKek(stage.folders.B, null).id;
const rotate = () => rotateKekOf(stage.env('B'));

async function restarted(): Promise<void> {
  await stopped();
  await stage.start('B');
}

async function stopped(): Promise<void> {
  await stage.running.B?.close();
  delete stage.running.B;
}

async function expectAllSign(): Promise<void> {
  for (const roster of rosters) {
    const refunds = await Transfers.of(stage.chain, roster);
    const op = refunds.operation(await paidIn(stage.chain, roster.wallet, 10n * USDC), USDC);
    const signature = await stage.treasury.sign(roster, op, await refunds.message(op));
    expect(signature).toBeInstanceOf(Uint8Array);
  }
}

/** By what the rows say they are under. */
async function keksOfShares(): Promise<readonly string[]> {
  const { rows } = await stage
    .ledger('B')
    .query("select distinct sealed_share->>'kek_id' as id from wallets union select kek_id from signer");
  return rows.map(({ id }) => id);
}

async function expectRefused(work: () => Promise<unknown>, fault: string): Promise<void> {
  const before = await stage.rowsOf('B');
  await expect(work()).rejects.toThrow(fault);
  expect(await stage.rowsOf('B')).toBe(before);
}

test('every share is under the new key, and the signer serves with that one alone', async () => {
  const old_id = kekId();
  putNext();
  const { id } = openNextKek(stage.folders.B, null);
  const rotated = await rotate();
  expect(rotated).toEqual({ role: 'B', kek_id: id, shares: 2 });
  expect(await keksOfShares()).toEqual([id]);
  await restarted();
  await expectAllSign();
  // The old key stays for ledgers in backups, and opens this one no more.
  const folder = mkdtempSync(join(tmpdir(), 'signer-old-'));
  cpSync(stage.folders.B, folder, { recursive: true });
  renameSync(join(folder, `kek.${old_id}`), join(folder, 'kek'));
  await stopped();
  await expect(stage.start('B', { SIGNER_DIR: folder })).rejects.toThrow(`under the key-encryption key ${id}`);
  rmSync(folder, { recursive: true });
  await stage.start('B');
});

test('a second time it changes nothing, and says what is left to do', async () => {
  await expectRefused(rotate, 'has no kek.next: put the new key there');
});

test('a wrong key, another signer’s ledger or a share that does not open change nothing', async () => {
  const [from, to] = [openKek(stage.folders.B, null), localKeyEncryption(randomBytes(32))];
  const ledger = stage.ledger('B');
  const by = (change: object) => () =>
    rotateKek(ledger, { role: 'B', from, to, ...change });
  await expectRefused(by({ from: localKeyEncryption(randomBytes(32)) }), 'give the key that it is under');
  await expectRefused(by({ from: { ...localKeyEncryption(randomBytes(32)), id: from.id } }), 'give the key');
  await expectRefused(by({ to: from }), 'the new key is the one that this signer has');
  await expectRefused(by({ role: 'A' }), 'this ledger belongs to signer B');
  const wallet = rosters.map((roster) => roster.wallet).sort().at(-1);
  const epoch = (by_how_many: number) =>
    ledger.query('update wallets set epoch = epoch + $2 where address = $1', [wallet, by_how_many]);
  await epoch(1);
  await expectRefused(by({}), `the share of ${wallet} does not open`);
  await epoch(-1);
  const empty = await stage.postgres.database();
  const nothing = () => rotateKekOf({ ...stage.env('B'), SIGNER_DATABASE_URL: empty });
  putNext();
  await expect(nothing()).rejects.toThrow('no signer has served on this ledger yet');
  rmSync(join(stage.folders.B, 'kek.next'));
});

test('what was stopped after the last share and before the file is ended by a start, or by another run', async () => {
  putNext();
  const [from, to] = [openKek(stage.folders.B, null), openNextKek(stage.folders.B, null)];
  expect(await rotateKek(stage.ledger('B'), { role: 'B', from, to })).toBe(2);
  await restarted();
  await expectAllSign();
  expect(await rotate()).toEqual({ role: 'B', kek_id: to.id, shares: 0 });
  expect(kekId()).toBe(to.id);
  expect(existsSync(join(stage.folders.B, 'kek.next'))).toBe(false);
  expect(readdirSync(stage.folders.B)).toContain(`kek.${from.id}`);
  await restarted();
  await expectAllSign();
});

/** The command as an operator gives it; its rotation stops at the last wallet until `go`. */
async function heldRotation() {
  const wallet = rosters.map((roster) => roster.wallet).sort().at(-1);
  const client = new Client({ connectionString: stage.databases.B });
  await client.connect();
  await client.query(
    `create or replace function hold() returns trigger language plpgsql as $$ begin
       if new.address = '${wallet}' then perform pg_advisory_xact_lock(42); end if; return new;
     end $$;
     create or replace trigger hold before update on wallets for each row execute function hold();
     select pg_advisory_lock(42)`,
  );
  const child = fork(MAIN, ['rotate-kek'], {
    ...{ execArgv: TYPESCRIPT, env: { PATH: process.env['PATH'], ...stage.env('B') }, silent: true },
  });
  const ended = once(child, 'exit');
  const waits = "select from pg_locks where locktype = 'advisory' and objid = 42 and not granted";
  while ((await client.query(waits)).rowCount === 0) {
    if (child.exitCode !== null) throw new Error(`it ended: ${String(child.stderr?.read())}`);
    await setTimeout(20);
  }
  const go = async (): Promise<void> => {
    await client.query('select pg_advisory_unlock(42)');
    await client.query('drop trigger hold on wallets');
    await client.end();
  };
  return { child, go, ended };
}

test('kill -9 in the middle leaves every share under the old key', async () => {
  await stopped();
  putNext();
  const [old_id, before] = [kekId(), await keksOfShares()];
  const { child, go, ended } = await heldRotation();
  child.kill('SIGKILL');
  await ended;
  await go();
  expect(await keksOfShares()).toEqual(before);
  await stage.start('B');
  await expectAllSign();
  expect(await rotate()).toMatchObject({ shares: 2 });
  expect(kekId()).not.toBe(old_id);
  await restarted();
  await expectAllSign();
});

/** Signer B as a process, which ends by itself. */
const served = (): Promise<Program> => runProgram({ main: MAIN, flags: TYPESCRIPT }, stage.env('B'));

test('a signer that serves meanwhile keeps nothing under the old key, and ends', async () => {
  await stopped();
  const program = await served();
  stage.running.B = program;
  const load = Promise.allSettled([expectAllSign(), expectAllSign(), expectAllSign()]);
  putNext();
  const { child, go, ended } = await heldRotation();
  // Its share is sealed under the old key, and its row waits for the rotation.
  let answered = false;
  const late = opened()
    .then(
      () => 'opened',
      () => 'not opened',
    )
    .finally(() => (answered = true));
  const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into wallets%'";
  while (!answered && (await stage.ledger('A').query(waiting)).rowCount === 0) await setTimeout(20);
  await go();
  await ended;
  expect(child.exitCode).toBe(0);
  expect(await late).toBe('not opened');
  // Some were signed before; what comes after the rotation gets no answer.
  await load;
  expect(await keksOfShares()).toEqual([kekId()]);
  while (!program.said().includes('under another key-encryption key now')) await setTimeout(50);
  await program.close();
  await stage.start('B');
  await expectAllSign();
  rosters = [...rosters, await opened()];
  await expectAllSign();
});

test('keys come through pipes as well, and nowhere else', async () => {
  await stopped();
  const folder = mkdtempSync(join(tmpdir(), 'signer-pipes-'));
  cpSync(stage.folders.B, folder, { recursive: true });
  const [old_key, new_key] = [randomBytes(32), randomBytes(32)];
  putNext(old_key);
  await rotate();
  rmSync(join(folder, 'kek'));
  const env = { ...stage.env('B'), SIGNER_DIR: folder, KEK_FD: '3', NEW_KEK_FD: '4' };
  const run = (extra: object, from = old_key, to = new_key): Promise<string> =>
    said({ ...env, ...extra }, [from, to]);
  expect(await run({ NEW_KEK_FD: '' })).toContain('KEK_FD and NEW_KEK_FD go together');
  expect(await run({ NEW_KEK_FD: '3' })).toContain('KEK_FD and NEW_KEK_FD go together');
  expect(await run({ SIGNER_NEW_KEK: new_key.toString('hex') })).toContain('SIGNER_NEW_KEK is in the environment');
  expect(await run({}, old_key, Buffer.alloc(31, 1))).toContain('NEW_KEK_FD brought 31 bytes');
  expect(await run({}, new_key, randomBytes(32))).toContain('give the key that it is under');
  const kek_id = localKeyEncryption(new_key).id;
  expect(JSON.parse(await run({}))).toEqual({ role: 'B', kek_id, shares: 3 });
  expect(JSON.parse(await run({}))).toEqual({ role: 'B', kek_id, shares: 0 });
  expect(await keksOfShares()).toEqual([kek_id]);
  rmSync(folder, { recursive: true });
});

/** What the command says, with these bytes in the pipes 3 and 4. */
async function said(env: object, pipes: readonly Buffer[]): Promise<string> {
  const child = fork(MAIN, ['rotate-kek'], {
    ...{ execArgv: TYPESCRIPT, env: { PATH: process.env['PATH'], ...env } },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'ipc'],
  });
  let told = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (told += chunk));
  pipes.forEach((bytes, place) => {
    const pipe = child.stdio[place + 3] as NodeJS.WritableStream;
    pipe.on('error', () => undefined);
    pipe.end(bytes);
  });
  await once(child, 'close');
  return told;
}
