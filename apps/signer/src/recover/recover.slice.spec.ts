import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startTestPostgres, type TestPostgres } from '@tender/adapter-postgres/testing';
import { openLedger } from '@tender/signer-features';
import { sealShare, type Roster } from '@tender/threshold';
import { ceremonyTable, heldCeremony, ofRoles } from '@tender/threshold/testing';
import {
  base58, base64, compileMessage, signatureBytes, signerOf, transactionBytes, transferSol,
  type Instruction,
} from '@tender/transactions';
import { PublicKey } from '@solana/web3.js';
import { Pool } from 'pg';
import {
  ChainFixture, STILL_SLOT_MS,
} from '../../../../tools/localnet/src/testing/chain-fixture';
import { paidIn } from '../../../../tools/attack/src/stage';
import { openKek } from '../files/kek-source';
import { TYPESCRIPT } from '../testing/recovery-process';

const MAIN = join(__dirname, '../main.ts');
const SOL = 1_000_000_000n;

const table = ceremonyTable();
const held = heldCeremony(table);
const roster: Roster = held.A.roster;
const payer = signerOf(Buffer.alloc(32, 7));
const receiver = base58(Buffer.alloc(32, 9));
let [folder, postgres, ledger]: [string, TestPostgres, Pool] = [] as never;
let of_a: Record<string, string>;
let of_r: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recover-'));
  postgres = await startTestPostgres();
  const SIGNER_DATABASE_URL = await postgres.database();
  ledger = new Pool({ connectionString: SIGNER_DATABASE_URL });
  const dir = join(folder, 'signer-a');
  mkdirSync(dir, { mode: 0o700 });
  of_a = { SIGNER_ROLE: 'A', SIGNER_DIR: dir, SIGNER_DATABASE_URL };
  await openLedger(ledger, 'A', openKek(dir, null));
  const { wallet, merchant_id, mode, epoch } = roster;
  const sealed = await sealShare(held.A.share, openKek(dir, null), roster);
  await ledger.query('insert into wallets values ($1, $2, $3, $4, $5, $6)', [
    ...[wallet, merchant_id, mode, epoch, JSON.stringify(roster), JSON.stringify(sealed)],
  ]);
  const { public_key, secret_key } = table.recovery;
  const pair = { public_key: base64(public_key), secret_key: base64(secret_key) };
  of_r = { RECOVERY_KEY_FILE: file('recovery-key', JSON.stringify(pair)) };
  const signatures = ofRoles((role) => held[role].roster_signature);
  file('wallet', JSON.stringify({ operating_wallet_address: wallet, roster: { roster, signatures } }));
});
afterAll(async () => {
  await ledger.end();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
}
const message = (
  instructions: readonly Instruction[] = [transferSol(roster.wallet, receiver, SOL)],
  recent_blockhash = base58(Buffer.alloc(32, 3)),
): string =>
  file(
    'message',
    base64(compileMessage({ fee_payer: payer.address, recent_blockhash, instructions })),
  );

/** One party, as its person starts it. */
function party(env: Record<string, string>, ...args: readonly string[]) {
  const child = spawn(process.execPath, [...TYPESCRIPT, MAIN, 'recover', ...args], {
    env: { PATH: process.env['PATH'], ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const closed = once(child, 'close');
  return {
    line: async (): Promise<string> => String((await lines.next()).value),
    hears: (text: string) => child.stdin.write(`${text}\n`),
    /** All that it has said, when it has ended. */
    async ends(...heard: readonly string[]): Promise<string> {
      child.stdin.end(heard.map((text) => `${text}\n`).join(''));
      await closed;
      return said;
    },
  };
}
const told = (env: Record<string, string>, ...args: readonly string[]): Promise<string> =>
  party(env, ...args).ends();
const isFrozen = async (): Promise<boolean> => {
  const { rows } = await ledger.query('select frozen_ms is not null as frozen from wallets');
  return rows[0].frozen;
};
const wallet = (): string => join(folder, 'wallet');

test('a drill shows that the share opens, and changes nothing', async () => {
  for (const [env, opens] of [[of_r, 'R'], [of_a, 'A']] as const) {
    expect(JSON.parse(await told(env, 'check', wallet()))).toEqual({ wallet: roster.wallet, opens });
  }
  expect(await isFrozen()).toBe(false);
});

test('the offline key is made once, for its owner alone, and is the pair that a share is sealed to', async () => {
  const env = { RECOVERY_KEY_FILE: join(folder, 'made') };
  const made = await told(env, 'key');
  expect(await told(env, 'key')).toBe(made);
  expect(statSync(env.RECOVERY_KEY_FILE).mode & 0o777).toBe(0o600);
  expect(await told(env, 'check', wallet())).toContain('this is another offline key');
});

test('R and A, each in a process of its own, move the money of a wallet whose B is lost', async () => {
  const chain = await ChainFixture.open({ slotMs: STILL_SLOT_MS });
  await paidIn(chain, roster.wallet, 1n, Number(2n * SOL));
  await paidIn(chain, payer.address, 1n, Number(SOL));
  const blockhash = await chain.connection.getLatestBlockhash();
  const bytes = message(undefined, blockhash.blockhash);
  const [r, a] = [party(of_r, 'sign', wallet(), bytes), party(of_a, 'sign', wallet(), bytes)];
  const commits = [await r.line(), await a.line()] as const;
  r.hears(commits[1]);
  a.hears(commits[0]);
  const shares = [await r.line(), await a.line()] as const;
  const said = [await r.ends(), await a.ends()];
  const answer = await party({}, 'aggregate', wallet(), bytes).ends(...shares, ...commits);
  const { signature } = JSON.parse(answer) as { signature: string };
  const signed = Buffer.from(JSON.parse(commits[0]).message as string, 'base64');
  const wire = transactionBytes(signed, {
    [roster.wallet]: signatureBytes(signature) as Uint8Array,
    [payer.address]: payer.sign(signed),
  });
  await chain.send(wire);
  await chain.finalize();
  expect(await chain.connection.getBalance(new PublicKey(receiver))).toBe(Number(SOL));
  // From here on A is the share of a person, not of a signer.
  expect(await isFrozen()).toBe(true);
  expect(said[0]).toContain(`"to":"${receiver}","asset":"SOL","amount":"${SOL}"`);
  const secrets = [held.A.share.secret, held.R.share.secret, table.recovery.secret_key];
  for (const secret of secrets) {
    for (const text of [...said, answer]) expect(text).not.toContain(base64(secret).slice(0, 42));
  }
  await chain.close();
});

test('a party gives no share for another message, another party, or its own line', async () => {
  const bytes = message();
  const first = party(of_r, 'sign', wallet(), bytes);
  const line = JSON.parse(await first.line()) as object;
  const heard = async (changes: object): Promise<string> => {
    const one = party(of_r, 'sign', wallet(), bytes);
    await one.line();
    return one.ends(JSON.stringify({ ...line, role: 'A', ...changes }));
  };
  expect(await heard({ message: base64(Buffer.of(1)) })).toContain('of another wallet or message');
  expect(await heard({ wallet: receiver })).toContain('of another wallet or message');
  expect(await heard({ role: 'R' })).toContain('the other party’s line with its commitment comes here');
  expect(await heard({ role: 'C' })).toContain('quorum_member_invalid');
  expect(await heard({ commit: { hiding: 'x', binding: 'y' } })).toContain('commitment_invalid: A');
  expect(await heard({ commit: undefined })).toContain('comes here');
  expect(await first.ends()).toContain('comes here');
  expect(await party({}, 'aggregate', wallet(), bytes).ends()).toContain('quorum_member_invalid');
});

test('what is not one transfer by the wallet is signed by none', async () => {
  const pays = transferSol(roster.wallet, receiver, SOL);
  const other = transferSol(payer.address, receiver, SOL);
  const refusal = (...instructions: readonly Instruction[]) =>
    told(of_r, 'sign', wallet(), message(instructions));
  const not_one = `is not one transfer by ${roster.wallet}`;
  expect(await refusal(pays, pays)).toContain(not_one);
  expect(await refusal(other)).toContain(not_one);
  expect(await refusal({ ...pays, data: Uint8Array.of(8, 0, 0, 0) })).toContain(not_one);
  expect(await refusal(transferSol(payer.address, roster.wallet, SOL))).toContain(not_one);
  expect(await told(of_r, 'sign', wallet(), file('message', 'none'))).toContain('is none that the chain would read');
});

test('wrong files and settings are named', async () => {
  const bytes = message();
  const both = { ...of_r, ...of_a };
  expect(await told(both, 'sign', wallet(), bytes)).toContain('no machine has two shares');
  expect(await told(of_r, 'sign', wallet())).toContain('`recover` takes');
  expect(await told(of_r, 'check', join(folder, 'absent'))).toContain('cannot be read (ENOENT)');
  const signatures = ofRoles((role) => held[role].roster_signature);
  const changed = { roster: { ...roster, settlement_wallet: receiver }, signatures };
  expect(await told(of_r, 'check', file('changed', JSON.stringify(changed)))).toContain('roster_signature_invalid');
  chmodSync(of_r['RECOVERY_KEY_FILE'] as string, 0o640);
  expect(await told(of_r, 'check', wallet())).toContain('is open to others (mode 0640)');
  chmodSync(of_r['RECOVERY_KEY_FILE'] as string, 0o600);
  expect(await told({ RECOVERY_KEY_FILE: wallet() }, 'check', wallet())).toContain('holds no offline key');
});
