import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localKeyEncryption, openShare, type Roster } from '@tender/threshold';
import {
  freshSession, paidIn, runProgram, Transfers, type Program,
} from '../../../tools/attack/src/stage';
import { TYPESCRIPT } from './testing/recovery-process';
import { SignerStage } from './testing/signer-stage';

const USDC = 1_000_000n;
const PROGRAM = { main: join(__dirname, 'main.ts'), flags: TYPESCRIPT };

let stage: SignerStage;
let roster: Roster;
let refunds: Transfers;
const programs: Program[] = [];
beforeAll(async () => {
  stage = await SignerStage.open();
  await stage.running.B?.close();
  stage.running.B = await serve();
  roster = await stage.treasury.openWallet({ A: stage.identityKey('A'), B: stage.identityKey('B') });
  refunds = await Transfers.of(stage.chain, roster);
});
afterAll(async () => {
  for (const { kill } of programs) await kill();
  await stage.close();
});

/** Signer B as a process. */
async function serve(extra: Record<string, string> = {}): Promise<Program> {
  const program = await runProgram(PROGRAM, { ...stage.env('B'), ...extra });
  programs.push(program);
  return program;
}
const ended = async (extra: Record<string, string>): Promise<string> =>
  serve(extra).then(
    () => 'it serves',
    (error: Error) => error.message,
  );

test('a signer that is killed between its commitment and its share gives none', async () => {
  const credited = await paidIn(stage.chain, roster.wallet, 10n * USDC);
  const op = refunds.operation(credited, USDC);
  const session = freshSession();
  const message = await refunds.message(op);
  const commits = await stage.treasury.propose(op, message, session);
  await programs.at(-1)?.kill();
  stage.running.B = await serve();
  expect(await stage.treasury.told('B', 'sign', { commits }, session)).toBe('session_unknown');
  // It holds the reservation until the session is over, and takes another attempt at any time.
  const observed = await stage.treasury.told('B', 'observe', { operation_id: op.id });
  expect(observed).toEqual({ state: 'reserved' });
  const signature = await stage.treasury.sign(roster, op, message);
  expect(signature).toBeInstanceOf(Uint8Array);
});

test('a copy of a signer with all that it keeps cannot finish what the signer began', async () => {
  const credited = await paidIn(stage.chain, roster.wallet, 10n * USDC);
  const op = refunds.operation(credited, USDC);
  const session = freshSession();
  const commits = await stage.treasury.propose(op, await refunds.message(op), session);
  const folder = mkdtempSync(join(tmpdir(), 'signer-copy-'));
  cpSync(stage.folders.B, folder, { recursive: true });
  const original = stage.running.B;
  const copied = await stage.copyOf('B');
  stage.running.B = await serve({ SIGNER_DIR: folder, SIGNER_DATABASE_URL: copied });
  expect(await stage.treasury.told('B', 'sign', { commits }, session)).toBe('session_unknown');
  stage.running.B = original as Program;
  const given = await stage.treasury.told('B', 'sign', { commits }, session);
  expect(given).toMatchObject({ share: expect.any(String) });
  rmSync(folder, { recursive: true });
});

test('S49: no secret of a signer is in what it says, keeps, answers or was started with', async () => {
  const credited = await paidIn(stage.chain, roster.wallet, 10n * USDC);
  const op = refunds.operation(credited, USDC);
  const told: unknown[] = [];
  const { ask } = stage.treasury;
  stage.treasury.ask = async (...asked) => {
    const answer = await ask.apply(stage.treasury, asked);
    told.push(answer);
    return answer;
  };
  const signature = await stage.treasury.sign(roster, op, await refunds.message(op));
  expect(signature).toBeInstanceOf(Uint8Array);
  stage.treasury.ask = ask;
  const { pid, said } = stage.running.B as Program;
  const places = [said(), JSON.stringify(told), await stage.rowsOf('B')];
  for (const name of ['environ', 'cmdline']) {
    places.push(readFileSync(`/proc/${pid}/${name}`, 'latin1'));
  }
  const kek = readFileSync(join(stage.folders.B, 'kek'));
  const { rows } = await stage.ledger('B').query(
    'select sealed_share from wallets where address = $1',
    [roster.wallet],
  );
  const at = { wallet: roster.wallet, role: 'B', epoch: roster.epoch } as const;
  const share = await openShare(rows[0].sealed_share, localKeyEncryption(kek), at);
  const identity = readFileSync(join(stage.folders.B, 'identity'));
  const password = readFileSync(join(stage.folders.B, 'database-password'));
  for (const secret of [kek, identity, password, Buffer.from(share.secret)]) {
    for (const encoding of ['hex', 'base64', 'base64url', 'latin1'] as const) {
      const text = secret.toString(encoding).replace(/=+$/, '');
      for (const place of places) expect(place.includes(text)).toBe(false);
    }
  }
  // What is looked for is found where it is.
  expect(places[2]).toContain(roster.wallet);
  expect(places[1]).toContain('"share"');
});

test('a signer does not start over what is not its own', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'signer-empty-'));
  const faults = [
    [{ SIGNER_DIR: empty }, 'the shares of this ledger are sealed under the key-encryption key'],
    [{ SIGNER_DATABASE_URL: stage.databases.A }, 'this ledger belongs to signer A'],
    [{ PEER_IDENTITY: stage.identityKey('B') }, 'PEER_IDENTITY is this signer’s own identity'],
    [{ SIGNER_KEK: 'x' }, 'SIGNER_KEK is in the environment'],
  ] as const;
  for (const [extra, fault] of faults) expect(await ended(extra)).toContain(fault);
  rmSync(empty, { recursive: true });
});

test('the key-encryption key comes through a pipe, and is the same key then', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signer-pipe-'));
  const SIGNER_DATABASE_URL = await stage.postgres.database();
  const env = { ...stage.env('B'), SIGNER_DIR: folder, SIGNER_DATABASE_URL, KEK_FD: '3' };
  const [kek, other] = [randomBytes(32), randomBytes(32)];
  await (await runProgram(PROGRAM, env, kek)).kill();
  await (await runProgram(PROGRAM, env, kek)).kill();
  await expect(runProgram(PROGRAM, env, other)).rejects.toThrow('the shares of this ledger');
  await expect(runProgram(PROGRAM, env, randomBytes(31))).rejects.toThrow('KEK_FD brought 31 bytes');
  await expect(runProgram(PROGRAM, env, Buffer.alloc(32, 1))).rejects.toThrow('KEK_FD is no key');
  rmSync(folder, { recursive: true });
});
