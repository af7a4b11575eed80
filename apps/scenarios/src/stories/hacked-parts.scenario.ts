/**
 * @landing postgres
 * @program own
 */
import { Keypair } from '@solana/web3.js';
import pg from 'pg';
import { eventually } from '../harness/eventually';
import { environmentOf, HackedGateway } from '../harness/hacked-gateway';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Program } from '../harness/program';

const USDC = 1_000_000n;
const attacker = Keypair.generate().publicKey.toBase58();
let program: Program;
let gateway: HackedGateway;
let merchant: Merchant;
/** The operating wallet of the merchant, with 50 USDC. */
let wallet: string;

beforeAll(async () => {
  program = await Program.start();
  gateway = await HackedGateway.in(program);
  merchant = await newMerchant(program);
  wallet = await eventually(shownTo(merchant), (address) => address !== null);
  const amount = String(50n * USDC);
  await gateway.control('localnet_faucet', { address: wallet, token: 'USDC', amount });
});
afterAll(async () => {
  await gateway.end();
  await program.discard();
});

const shownTo =
  ({ api }: Merchant) =>
  async (): Promise<string> =>
    (await api.get('/api/v1/merchants/me/wallet')).json.operating_wallet_address;
const settlement = (to: string | null) =>
  ({ type: 'settlement', merchant_id: merchant.id, asset: 'USDC', amount: '1000000', credit: null, to }) as const;
const declined = { status: 'failed', failure_reason: 'signing_declined', transaction_signature: null };

test('what the gateway holds is no key of a signer: they answer it nothing, and their databases are shut', async () => {
  const { env } = gateway;
  expect(Object.keys(env)).toEqual(expect.arrayContaining(['INTERNAL_SECRET', 'DATABASE_URL']));
  const foreign = /SIGNER|IDENTITY|KEK|RECOVERY|PAYOUT|SPONSOR/;
  expect(Object.keys(env).filter((name) => foreign.test(name))).toEqual([]);

  const treasury = environmentOf(program.pidOf('treasury'));
  const envelope = { v: 1, kind: 'freeze', session: 'hacked-session', from: 'treasury', epoch: 1 };
  const signature = Buffer.alloc(64, 1).toString('base64');
  for (const role of ['A', 'B']) {
    const body = JSON.stringify({ message: { ...envelope, to: role, body: {} }, signature });
    const headers = { authorization: `Bearer ${env['INTERNAL_SECRET']}` };
    const url = `${treasury[`SIGNER_${role}_URL`]}/messages`;
    const answer = await fetch(url, { method: 'POST', headers, body });
    expect([answer.status, await answer.text()]).toEqual([401, '']);
  }

  for (const name of ['signer_a', 'signer_b']) {
    const url = new URL(env['DATABASE_URL'] as string);
    url.pathname = name;
    const refused = new pg.Client({ connectionString: url.href });
    await expect(refused.connect()).rejects.toThrow(/permission denied for database/);
    await expect(gateway.sql.query(`set role ${name}`)).rejects.toThrow(/permission denied/);
    await expect(gateway.sql.query(`alter role ${name} password 'x'`)).rejects.toThrow(/permission denied/);
    await expect(gateway.sql.query(`drop database ${name}`)).rejects.toThrow(/must be owner/);
    await expect(gateway.sql.query(`grant ${name} to current_user`)).rejects.toThrow(/permission denied/);
  }
  await gateway.sql.query('create temp table t (line text)');
  for (const reach of ["copy t from program 'true'", "copy t from '/etc/hostname'", "select pg_read_file('/etc/hostname')"]) {
    await expect(gateway.sql.query(reach)).rejects.toThrow(/permission denied/);
  }
});

test('it has money sent where it should go, and nowhere else', async () => {
  expect(await gateway.transfer(settlement(null))).toMatchObject({ status: 'completed', to: merchant.wallet });
  expect(await gateway.usdcOf(merchant.wallet)).toBe(USDC);
  expect(await gateway.transfer(settlement(attacker))).toMatchObject({ ...declined, to: attacker });
  expect(await gateway.usdcOf(wallet)).toBe(49n * USDC);
  expect(await gateway.usdcOf(attacker)).toBe(0n);
});

test('it makes treasury forget that a wallet is frozen; the signers do not', async () => {
  await merchant.api.post('/api/v1/merchants/me/operating-wallet/freeze', { reason: 'stolen key' });
  const { rowCount } = await gateway.sql.query(
    `delete from log.events where type = 'OperatingWalletFrozen' and data::text like $1`,
    [`%${wallet}%`],
  );
  expect(rowCount).toBe(1);
  expect(await gateway.transfer(settlement(null))).toMatchObject(declined);
  expect(await gateway.usdcOf(wallet)).toBe(49n * USDC);
});

test('it writes a wallet of its own into the log, which no merchant is shown', async () => {
  const victim = await newMerchant(program);
  // Two rows as treasury writes them, where no other process writes; the roster is genuine, and of another merchant.
  const { rowCount } = await gateway.sql.query(
    `insert into log.events (position, stream, category, revision, id, type, data, metadata)
     select (select min(position) from log.events) - row_number() over (order by revision),
       replace(stream, $1, $2), category, revision, gen_random_uuid(), type, data, metadata
     from log.events where type in ('OperatingWalletBegun', 'OperatingWalletOpened') and stream like '%' || $1`,
    [merchant.id, victim.id],
  );
  expect(rowCount).toBe(2);
  expect(await shownTo(victim)()).toBeNull();
  expect(program.output).toContain('the log holds a wallet that its signers have not made');
});
