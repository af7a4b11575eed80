import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestPostgres, type TestPostgres } from '@tender/adapter-postgres/testing';
import { ledgerPool, peerOf } from '@tender/signer-features';
import { Client, type Pool } from 'pg';
import type { HostedRole } from '@tender/threshold';
import {
  ChainFixture, STILL_SLOT_MS,
} from '../../../../tools/localnet/src/testing/chain-fixture';
import { identityIn } from '../files/signer-files';
import { jsonLog } from '../log';
import { readSettings } from '../settings/read-settings';
import type { Env } from '../settings/settings-fault';
import { startSigner, type RunningSigner } from '../start-signer';
import { TreasuryDouble } from '../../../../tools/attack/src/stage';
import { EXAMPLE_RECOVERY_KEY } from '../settings/example-recovery-key';

const ROLES = ['A', 'B'] as const;
type Signers<Value> = Record<HostedRole, Value>;
/** In this process or in one of its own. */
type Started = Omit<RunningSigner, 'kek_replaced'>;

/** Two signers as they are started everywhere, each with its folder and its database, beside a chain and a treasury. */
export class SignerStage {
  /** What the signers’ clocks are ahead, in ms. */
  ahead_ms = 0;
  private readonly pools: Partial<Signers<Pool>> = {};
  readonly running: Partial<Signers<Started>> = {};
  readonly treasury = new TreasuryDouble((role) => this.signer(role).url, EXAMPLE_RECOVERY_KEY);

  private constructor(
    readonly chain: ChainFixture,
    readonly postgres: TestPostgres,
    readonly folders: Signers<string>,
    readonly databases: Signers<string>,
    private readonly extra: Env,
  ) {}

  static async open(extra: Env = {}): Promise<SignerStage> {
    const chain = await ChainFixture.open({ slotMs: STILL_SLOT_MS });
    const postgres = await startTestPostgres();
    const folder = () => mkdtempSync(join(tmpdir(), 'signer-'));
    const databases = { A: await postgres.database(), B: await postgres.database() };
    const folders = { A: folder(), B: folder() };
    const stage = new SignerStage(chain, postgres, folders, databases, extra);
    await stage.start('A');
    await stage.start('B');
    return stage;
  }

  /** The environment that a signer is started with. */
  env(role: HostedRole): Record<string, string | undefined> {
    const { test, live } = this.chain.localnet.networks;
    return {
      ...{ SIGNER_ROLE: role, SIGNER_DIR: this.folders[role], PORT: '0' },
      SIGNER_DATABASE_URL: this.databases[role],
      TREASURY_IDENTITY: this.treasury.identity.public_key,
      PEER_IDENTITY: this.identityKey(peerOf(role)),
      ...{ SOLANA_RPC_URL_TEST: test.rpc_url, SOLANA_RPC_URL_LIVE: live.rpc_url },
      ...{ SOLANA_GENESIS_TEST: test.genesis_hash, SOLANA_GENESIS_LIVE: live.genesis_hash },
      ...this.extra,
    };
  }

  identityKey(role: HostedRole): string {
    return identityIn(this.folders[role]).public_key;
  }

  /** Into a signer’s ledger, past the signer. */
  ledger(role: HostedRole): Pool {
    const known = this.pools[role];
    if (known) return known;
    const config = { connectionString: this.databases[role], max: 1 };
    const pool = ledgerPool(config, () => undefined);
    return (this.pools[role] = pool);
  }

  /** All that a signer’s ledger holds, as text. */
  async rowsOf(role: HostedRole): Promise<string> {
    const { rows } = await this.ledger(role).query<{ xml: string }>(
      "select database_to_xml(true, true, '')::text as xml",
    );
    return JSON.stringify(rows);
  }

  signer(role: HostedRole): Pick<RunningSigner, 'url'> {
    return this.running[role] as Started;
  }

  async start(role: HostedRole, extra: Env = {}): Promise<RunningSigner> {
    const settings = readSettings({ ...this.env(role), ...extra });
    const clock = { wall: () => Date.now() + this.ahead_ms };
    const signer = await startSigner(settings, jsonLog(role, 'error'), clock);
    this.running[role] = signer;
    return signer;
  }

  /** A copy of a signer’s ledger as it is now, as a restored backup would be. */
  async copyOf(role: HostedRole): Promise<string> {
    const url = await this.postgres.database();
    const nameIn = (one: string): string => new URL(one).pathname.slice(1);
    const [copy, original] = [nameIn(url), nameIn(this.databases[role])];
    const server = new Client({ connectionString: new URL('/postgres', url).href });
    await server.connect();
    await server.query(`drop database ${copy}`);
    // A database that is copied has no connections; the signer makes new ones.
    await server.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [original],
    );
    await server.query(`create database ${copy} template ${original}`);
    await server.end();
    return url;
  }

  async close(): Promise<void> {
    for (const role of ROLES) await this.running[role]?.close();
    for (const role of ROLES) await this.pools[role]?.end();
    await this.postgres.stop();
    await this.chain.close();
    for (const role of ROLES) rmSync(this.folders[role], { recursive: true });
  }
}
