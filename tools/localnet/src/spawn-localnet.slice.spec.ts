// The child process: it is killed and comes back with everything that it had answered.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { callRpc } from './call-rpc';
import { spawnLocalnet, type SpawnedLocalnet } from './spawn-localnet';

const ROOT = join(__dirname, '..', '..', '..');
const LAMPORTS = 1_000_000;
/** Ends only what hangs. */
const readyTimeoutMs = 600_000;
/** Of one round, before it is cut short. */
const ANSWERED_MIN = 20;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('the local chain as a child process', () => {
  let folder: string;
  let child: SpawnedLocalnet | null = null;
  const start = async () => {
    // No blockhash gets too old between two calls.
    const lasting = { blockhashBlocks: 100_000, readyTimeoutMs };
    child = await spawnLocalnet({ dataDir: folder, snapshotSlots: 3, slotMs: 100, ...lasting });
    return child;
  };
  /** A second localnet tries for 10 s to take this one's folder: it does so while the other tests run. */
  let holder: SpawnedLocalnet;
  let refused: Promise<unknown>;
  const held = mkdtempSync(join(tmpdir(), 'localnet-held-'));

  beforeAll(async () => {
    const compiler = join(ROOT, 'node_modules', 'typescript7', 'bin', 'tsc');
    execFileSync(process.execPath, [compiler, '-b', 'tools/localnet'], { cwd: ROOT });
    holder = await spawnLocalnet({ dataDir: held, readyTimeoutMs });
    refused = spawnLocalnet({ dataDir: held, readyTimeoutMs }).then(
      (second) => second.stop(),
      (error: unknown) => error,
    );
  });
  afterAll(async () => {
    await holder.stop();
    rmSync(held, { recursive: true });
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'localnet-child-'));
  });
  afterEach(async () => {
    await child?.stop();
    rmSync(folder, { recursive: true });
  });

  it('holds no secret of its parent', async () => {
    process.env['SOME_TOKEN'] = 'a secret of the parent';
    const { pid } = await start().finally(() => delete process.env['SOME_TOKEN']);
    const held = readFileSync(`/proc/${pid}/environ`, 'utf8');
    expect(held).toContain(`LOCALNET_DATA_DIR=${folder}`);
    expect(held).not.toContain('a secret of the parent');
  });

  /** Sends transfers, several at a time, until the chain is gone. */
  function load(url: string, payer: Keypair, to: Keypair) {
    const answered: string[] = [];
    let lamports = LAMPORTS;
    const sender = async () => {
      for (;;) {
        const latest = await callRpc<{ value: { blockhash: string } }>(url, 'getLatestBlockhash');
        const { blockhash: recentBlockhash } = latest.value;
        lamports += 1;
        const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash }).add(
          SystemProgram.transfer({
            fromPubkey: payer.publicKey, toPubkey: to.publicKey, lamports,
          }),
        );
        transaction.sign(payer);
        const wire = transaction.serialize().toString('base64');
        const options = { encoding: 'base64', skipPreflight: true };
        answered.push(await callRpc<string>(url, 'sendTransaction', wire, options));
      }
    };
    const over = Promise.allSettled([sender(), sender(), sender(), sender()]);
    return { answered, over };
  }

  it('kill -9 under load loses nothing answered, five times over, on the same ports', async () => {
    const [payer, to] = [Keypair.generate(), Keypair.generate()];
    let { networks } = await start();
    const url = networks.test.rpc_url;
    await callRpc(url, 'requestAirdrop', payer.publicKey, 1_000_000_000_000);
    const answered: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const { answered: now, over } = load(url, payer, to);
      let is_over = false;
      void over.then(() => (is_over = true));
      // Long enough for some snapshots, and for the slowest machine to answer something.
      await pause(300 + 150 * round);
      while (now.length < ANSWERED_MIN && !is_over) await pause(10);
      expect(is_over).toBe(false);
      process.kill(child?.pid ?? 0, 'SIGKILL');
      await child?.ended;
      await over;
      expect(now.length).toBeGreaterThan(0);
      answered.push(...now);
      const before = networks;
      ({ networks } = await start());
      expect(networks).toEqual(before);
      const found: string[] = [];
      for (let at = 0; at < answered.length; at += 256) {
        const { value } = await callRpc<{ value: ({ err: unknown } | null)[] }>(
          url, 'getSignatureStatuses', answered.slice(at, at + 256),
        );
        value.forEach((status, index) => {
          if (status?.err === null) found.push(answered[at + index] ?? '');
        });
      }
      expect(found).toEqual(answered);
    }
    await expectSumOfHistory(url, payer, to);
  });

  /** Each transfer in the history has moved its lamports exactly once, and no other has. */
  async function expectSumOfHistory(url: string, payer: Keypair, to: Keypair): Promise<void> {
    await callRpc(url, 'localnet_warpSlots', { slots: 40 });
    let sum = 0;
    let before: string | undefined;
    for (;;) {
      const page: { signature: string }[] = await callRpc(
        url, 'getSignaturesForAddress', to.publicKey, { limit: 200, before },
      );
      for (const { signature } of page) {
        const read = await callRpc<{ meta: { preBalances: number[]; postBalances: number[] } }>(
          url, 'getTransaction', signature,
        );
        sum += (read.meta.postBalances[1] ?? 0) - (read.meta.preBalances[1] ?? 0);
      }
      before = page.at(-1)?.signature;
      if (page.length < 200) break;
    }
    const balance = await callRpc<{ value: number }>(url, 'getBalance', to.publicKey);
    expect(sum).toBeGreaterThan(0);
    expect(balance.value).toBe(sum);
    const paid = await callRpc<{ value: number }>(url, 'getBalance', payer.publicKey);
    expect(paid.value).toBeLessThan(1_000_000_000_000 - sum);
  }

  it('ends when its parent is killed, and lets the next one have the folder', async () => {
    const script = `
      const { spawnLocalnet } = require(${JSON.stringify(join(__dirname, '..', 'dist'))});
      spawnLocalnet({ dataDir: ${JSON.stringify(folder)}, readyTimeoutMs: ${readyTimeoutMs} })
        .then((child) => process.stdout.write(child.pid + '\\n'));`;
    const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
    const parent = spawn(process.execPath, ['-e', script], { stdio });
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.once('data', (data: Buffer) => resolve(Number(data.toString())));
    });
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    while (isAlive(pid)) await pause(20);
    const { networks } = await start();
    expect(await callRpc(networks.live.rpc_url, 'getHealth')).toBe('ok');
  });

  it('refuses a folder that another one uses', async () => {
    const message = expect.stringContaining('another localnet is running') as string;
    expect(await refused).toMatchObject({ message });
  });

  it('refuses settings that it cannot read', async () => {
    await expect(
      spawnLocalnet({ dataDir: folder, slotMs: Number.NaN }),
    ).rejects.toThrow('LOCALNET_SLOT_MS must be an integer');
  });
});
