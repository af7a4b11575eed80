import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair, PublicKey } from '@solana/web3.js';
import { ChainFixture } from '../../localnet/src/testing/chain-fixture';
import { recoveryKit } from '@tender/threshold/browser';
import { ownWallet } from '@tender/threshold/testing';
import { DEVNET_MINTS } from '@tender/transactions';

const ROOT = join(__dirname, '../../..');
const TYPESCRIPT = ['--conditions=source', '-r', join(ROOT, 'scripts/typescript-hook.cjs')];
const TOLD = ['-r', join(__dirname, 'testing/told-connections.cjs')];
const MAIN = join(__dirname, 'main.ts');
const PASSPHRASE = 'a horse in the rain';
const SOL = 1_000_000_000;
const USDC = 1_000_000;
/** How long a signed transfer may land. */
const BLOCKS = 2_000;

let chain: ChainFixture;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'exit-'));
  chain = await ChainFixture.open({ slotMs: 100, finalitySlots: 4, blockhashBlocks: BLOCKS });
});
afterAll(async () => {
  await chain.close();
  rmSync(folder, { recursive: true });
});

interface Leaving {
  readonly wallet: string;
  readonly kit: string;
  readonly to: string;
}

/** A merchant’s own wallet with money in it, its kit in a file, and where the merchant wants it. */
async function leaving(lamports: number, usdc: number): Promise<Leaving> {
  const { shares, roster } = ownWallet().of_merchant;
  const tender_identity_key = roster.parties[0]!.identity_key;
  const { wallet } = shares.C;
  for (const [token, amount] of [['SOL', lamports], ['USDC', usdc]] as const) {
    if (amount > 0) await chain.call('localnet_faucet', { address: wallet, token, amount: `${amount}` });
  }
  const made_at = '2026-11-23T12:00:00.000Z';
  const about = { network: 'solana', share_c: shares.C, share_r: shares.R, made_at, tender_identity_key };
  const kit = join(folder, `${wallet}.json`);
  writeFileSync(kit, await recoveryKit({ ...about, passphrase: PASSPHRASE }));
  writeFileSync(join(folder, 'passphrase'), `${PASSPHRASE}\n`);
  return { wallet, kit, to: Keypair.generate().publicKey.toBase58() };
}

function started({ kit, to }: Leaving, token: string, amount: string, ...more: readonly string[]) {
  const args = ['--recovery', kit, '--to', to, '--token', token, '--amount', amount, '--yes'];
  const others = ['--rpc', chain.url, '--passphrase-file', join(folder, 'passphrase'), ...more];
  const child = spawn(process.execPath, [...TYPESCRIPT, ...TOLD, MAIN, ...args, ...others], {
    ...{ cwd: ROOT, env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let said = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (said += chunk));
  const closed = once(child, 'close');
  return {
    /** All that it has said, when it has ended, and with which code. */
    async ended(): Promise<{ said: string; code: number }> {
      const [code] = (await closed) as [number];
      return { said, code };
    },
    /** What it keeps of the transfer, when it begins to send it. */
    async sent(): Promise<string> {
      while (!/^Sends \w/m.test(said)) await once(child.stdout!, 'data');
      return readFileSync(`${kit}.sent`, 'utf8');
    },
    async killed(): Promise<void> {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
const left = (...args: Parameters<typeof started>) => started(...args).ended();
const usdcOf = (address: string): Promise<bigint> => chain.usdcBalance(new PublicKey(address));
const solOf = (address: string): Promise<number> =>
  chain.connection.getBalance(new PublicKey(address));
const signatureIn = (said: string): string => /^Sends (\w{80,})/m.exec(said)![1]!;

test('USDC leaves in part and then whole, and SOL to the last lamport; only the node is asked', async () => {
  const merchant = await leaving(SOL, 20 * USDC);
  const part = await left(merchant, 'USDC', '12.5');
  expect(part).toMatchObject({ code: 0, said: expect.stringContaining('Sends  12.5 USDC') });
  expect(part.said).toMatch(/^Stays  7.5 USDC and 0.99\d+ SOL in the wallet$/m);
  expect(part.said).toContain('It has landed, for good.');
  expect(await usdcOf(merchant.to)).toBe(12_500_000n);
  expect(await left(merchant, 'USDC', 'all')).toMatchObject({ code: 0 });
  expect([await usdcOf(merchant.to), await usdcOf(merchant.wallet)]).toEqual([20_000_000n, 0n]);
  const before = await solOf(merchant.wallet);
  const rest = await left(merchant, 'SOL', 'all');
  expect(rest).toMatchObject({ code: 0, said: expect.stringContaining('Stays  0 SOL in the wallet') });
  expect(await solOf(merchant.wallet)).toBe(0);
  expect(await solOf(merchant.to)).toBe(before - 5_000);
  const asked = new Set(rest.said.match(/connects to \S+/g));
  expect([...asked]).toEqual([`connects to ${new URL(chain.url).host}`]);
  expect(existsSync(`${merchant.kit}.sent`)).toBe(false);
  expect(part.said + rest.said).not.toContain(JSON.parse(readFileSync(merchant.kit, 'utf8')).share_r);
});

test('a kit that does not open sends nothing, and says why', async () => {
  const merchant = await leaving(SOL, 2 * USDC);
  writeFileSync(join(folder, 'wrong'), 'a horse in the sun');
  const other = ['--passphrase-file', join(folder, 'wrong')] as const;
  expect(await left(merchant, 'USDC', 'all', ...other)).toMatchObject({
    ...{ code: 1, said: expect.stringContaining('does not open with this passphrase') },
  });
  const text = readFileSync(merchant.kit, 'utf8');
  const damaged = join(folder, 'damaged.json');
  writeFileSync(damaged, text.replace(/"made_at": "2/, '"made_at": "3'));
  expect(await left({ ...merchant, kit: damaged }, 'USDC', 'all')).toMatchObject({
    ...{ code: 1, said: expect.stringContaining('is damaged') },
  });
  writeFileSync(damaged, text.slice(0, -20));
  expect((await left({ ...merchant, kit: damaged }, 'USDC', 'all')).said).toContain('is no recovery kit');
  const absent = { ...merchant, kit: join(folder, 'absent') };
  expect((await left(absent, 'USDC', 'all')).said).toContain('cannot be read (ENOENT)');
  expect(await usdcOf(merchant.wallet)).toBe(2_000_000n);
});

test('a wallet without SOL says how much it takes, and that is enough', async () => {
  const merchant = await leaving(0, 5 * USDC);
  const { said, code } = await left(merchant, 'USDC', 'all');
  expect(code).toBe(1);
  const needed = /send ([\d.]+) SOL to (\S+) first/.exec(said)!;
  expect(needed[2]).toBe(merchant.wallet);
  const amount = String(Math.round(Number(needed[1]) * SOL));
  await chain.call('localnet_faucet', { address: merchant.wallet, token: 'SOL', amount });
  expect(await left(merchant, 'USDC', 'all')).toMatchObject({ code: 0 });
  expect(await usdcOf(merchant.to)).toBe(5_000_000n);
});

test('the node of another network has no such mint, or no money of the wallet', async () => {
  const merchant = await leaving(SOL, USDC);
  const live = ['--rpc', chain.networks.live.rpc_url] as const;
  expect(await left(merchant, DEVNET_MINTS.USDC, 'all', ...live)).toMatchObject({
    ...{ code: 1, said: expect.stringContaining('is --rpc a node of the network that the money is on?') },
  });
  expect((await left(merchant, 'USDC', 'all', ...live)).said).toContain('has no USDC on the network');
  expect((await left(merchant, 'USDC', '1.5')).said).toContain('at most the 1 USDC');
  const account = chain.usdcAccount(new PublicKey(merchant.wallet)).toBase58();
  expect((await left({ ...merchant, to: account }, 'USDC', '1')).said).toContain('is a token account');
  expect((await left(merchant, 'SOL', '0.9999')).said).toContain('a wallet keeps nothing or at least');
});

test('a transfer that a node has lost is sent again, the same', async () => {
  const merchant = await leaving(SOL, 3 * USDC);
  await chain.call('localnet_dropNextSend', { count: 1 });
  const { said, code } = await left(merchant, 'USDC', '2');
  expect(code).toBe(0);
  const found = await chain.connection.getSignatureStatus(signatureIn(said));
  expect(found.value?.err).toBeNull();
  expect(await usdcOf(merchant.to)).toBe(2_000_000n);
});

/** Killed before it has learnt what became of the transfer. */
async function killedWhileItSends(merchant: Leaving): Promise<string> {
  await chain.call('localnet_failRpc', { method: 'sendTransaction', count: 1_000, http_status: 503 });
  const process_ = started(merchant, 'USDC', '1');
  const sent = JSON.parse(await process_.sent()) as { signature: string };
  await process_.killed();
  await chain.call('localnet_failRpc', { method: 'sendTransaction', count: 0 });
  return sent.signature;
}

test('killed while it sends, it goes on with the same transfer and sends no second one', async () => {
  const merchant = await leaving(SOL, 3 * USDC);
  const signature = await killedWhileItSends(merchant);
  const again = await left(merchant, 'USDC', '1');
  expect(again.code).toBe(0);
  expect(again.said).toContain(`Goes on with the transfer that was begun before, 1 USDC to ${merchant.to}: ${signature}`);
  expect(again.said).toContain('Nothing else was sent.');
  expect(await usdcOf(merchant.to)).toBe(1_000_000n);
  expect(await left(merchant, 'USDC', '1')).toMatchObject({ code: 0 });
  expect(await usdcOf(merchant.to)).toBe(2_000_000n);
});

test('a transfer that can never land any more is given up for a new one', async () => {
  const merchant = await leaving(SOL, 3 * USDC);
  await killedWhileItSends(merchant);
  await chain.call('localnet_warpSlots', { slots: BLOCKS + 50 });
  const again = await left(merchant, 'USDC', '1');
  expect(again).toMatchObject({ code: 0, said: expect.stringContaining('never will') });
  expect(await usdcOf(merchant.to)).toBe(1_000_000n);
});

test('money leaves to no account that no wallet is behind', async () => {
  const merchant = await leaving(SOL, 2 * USDC);
  const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
  const SYSVARS = 'Sysvar1111111111111111111111111111111111111';
  const extended = (kind: number) => {
    const data = Buffer.alloc(202);
    data[165] = kind;
    return { owner: TOKEN_2022, data: data.toString('base64') };
  };
  const cases = [
    ['is a token account', extended(2)],
    ['is a mint, and no wallet', extended(1)],
    ['is a mint, and no wallet', { owner: TOKEN_2022, data: Buffer.alloc(82).toString('base64') }],
    ['is a program, and no wallet', { owner: SYSVARS, data: Buffer.alloc(40).toString('base64') }],
  ] as const;
  for (const [fault, account] of cases) {
    const to = Keypair.generate().publicKey.toBase58();
    await chain.call('localnet_setAccount', { address: to, lamports: 10_000_000, ...account });
    for (const token of ['USDC', 'SOL']) {
      expect(await left({ ...merchant, to }, token, '1')).toMatchObject({
        ...{ code: 1, said: expect.stringContaining(fault) },
      });
    }
  }
  expect([await usdcOf(merchant.wallet), await solOf(merchant.wallet)]).toEqual([2_000_000n, SOL]);
});

test('a transfer of another wallet is not gone on with, and stays written down', async () => {
  const [merchant, other] = [await leaving(SOL, USDC), await leaving(SOL, USDC)];
  const signature = await killedWhileItSends(merchant);
  const sent = readFileSync(`${merchant.kit}.sent`, 'utf8');
  writeFileSync(`${other.kit}.sent`, sent);
  const { said, code } = await left(other, 'USDC', '1');
  expect(code).toBe(1);
  expect(said).toContain(`is of a transfer of another wallet, ${merchant.wallet}, and this kit is of ${other.wallet}`);
  expect(readFileSync(`${other.kit}.sent`, 'utf8')).toBe(sent);
  expect((await left(merchant, 'USDC', '1')).said).toContain(signature);
});

test('SOL that its own fee would eat up has to stay', async () => {
  const merchant = await leaving(0, 0);
  await chain.call('localnet_setAccount', { address: merchant.wallet, lamports: 5_000 });
  expect(await left(merchant, 'SOL', 'all')).toMatchObject({
    ...{ code: 1, said: expect.stringContaining('The wallet has 0.000005 SOL, and to send it costs 0.000005 SOL') },
  });
});
