import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startLocalnet, type Localnet, type LocalnetNetworks, type LocalnetOptions } from '../localnet';
import { ChainClient } from './chain-client';

export { STILL_SLOT_MS, USDC_DECIMALS } from './chain-client';
/** Blockhashes that outlive every test, where slots pass by themselves. */
export const LASTING_BLOCKS = 100_000;

/** What went wrong; null when nothing did. */
export const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Error & { code?: number }) => error,
  );

/** Both chains in this process, and the clients of them. */
export class ChainFixture extends ChainClient {
  private constructor(
    readonly folder: string,
    private readonly options: Omit<LocalnetOptions, 'dataDir'>,
    public localnet: Localnet,
  ) {
    super();
  }

  get networks(): LocalnetNetworks {
    return this.localnet.networks;
  }

  static async open(options: Omit<LocalnetOptions, 'dataDir'> = {}): Promise<ChainFixture> {
    const folder = mkdtempSync(join(tmpdir(), 'localnet-'));
    const localnet = await startLocalnet({ ...options, dataDir: folder });
    return new ChainFixture(folder, options, localnet);
  }

  async restart(): Promise<void> {
    await this.clientsGone();
    await this.localnet.close();
    this.localnet = await startLocalnet({ ...this.options, dataDir: this.folder });
  }

  async close(): Promise<void> {
    await this.clientsGone();
    await this.localnet.close();
    rmSync(this.folder, { recursive: true });
  }

  /** web3.js closes an idle websocket by itself, and tries for ever to open a broken one. */
  private async clientsGone(): Promise<void> {
    for (;;) {
      const stats = await this.call<{ open_websockets: number }>('localnet_stats');
      if (stats.open_websockets === 0) return;
      await pause(20);
    }
  }
}
