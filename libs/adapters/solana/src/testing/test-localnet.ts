import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain, ChainTransaction, Commitment, Log } from '@tender/eventing';
import { startLocalnet, type Localnet } from '@tender/localnet';
import { rpcEndpoint } from '../rpc-endpoint';
import { solanaChain } from '../solana-chain';

const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const wall = () => performance.timeOrigin + performance.now();
const clock = { now: wall, wall };

/** A payment that is held up for minutes still names a hash that counts. */
const BLOCKHASH_BLOCKS = 12_000;

export type OpenChain = ReturnType<typeof solanaChain>;
export const openChain = (
  rpc_url: string,
  mints: Chain['mints'],
  commitment: Commitment = 'confirmed',
): OpenChain =>
  solanaChain({ network: 'localnet', commitment, endpoints: [rpc_url], mints, clock, log: silentLog });

/** Walks the chain from a slot until a transaction of this signature was seen in a block. */
export async function seen(
  chain: Chain,
  from: number,
  signature: string,
  key: string,
): Promise<ChainTransaction> {
  let after = from;
  for (;;) {
    for (const slot of await chain.slotsAfter(after, 64)) {
      const block = await chain.block(slot, (touched) => touched === key);
      const found = block?.transactions.find((transaction) => transaction.signature === signature);
      if (found) return found;
      after = slot;
    }
    await sleep(20);
  }
}

/** Asks a local node for what no other node offers: `localnet_faucet`, `localnet_warpSlots` and the like. */
export async function control<Answer>(
  rpc_url: string,
  method: string,
  fields: object,
): Promise<Answer> {
  const node = rpcEndpoint(rpc_url);
  const answer = await node.call<Answer>(method, [fields]);
  await node.close();
  return answer;
}

/** A local chain of its own for a test file, in a folder that goes with it. */
export class TestLocalnet {
  readonly folder = mkdtempSync(join(tmpdir(), 'tender-chain-'));
  private localnet: Localnet | null = null;
  private opened: OpenChain | null = null;

  async start(): Promise<void> {
    const pace = { slotMs: 50, blockhashBlocks: BLOCKHASH_BLOCKS };
    this.localnet = await startLocalnet({ dataDir: this.folder, ...pace });
    this.opened = openChain(this.network.rpc_url, this.network.mints);
  }

  async stop(): Promise<void> {
    await this.opened?.close();
    await this.localnet?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get network(): Localnet['networks']['test'] {
    if (!this.localnet) throw new Error('the local chain was not started');
    return this.localnet.networks.test;
  }

  /** At `confirmed`. */
  get chain(): OpenChain {
    if (!this.opened) throw new Error('the local chain was not started');
    return this.opened;
  }

  control<Answer>(method: string, fields: object): Promise<Answer> {
    return control(this.network.rpc_url, method, fields);
  }
}
