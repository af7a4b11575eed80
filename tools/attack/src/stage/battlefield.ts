import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type RunningPostgres } from '@tender/adapter-postgres-server';
import { spawnLocalnet, type SpawnedLocalnet } from '@tender/localnet';
import { ChainThere, STILL_SLOT_MS, type ChainClient } from '@tender/localnet/testing';
import { ledgerPool, peerOf } from '@tender/signer-features';
import { recoveryKeyPair, type HostedRole } from '@tender/threshold';
import { base64 } from '@tender/transactions';
import type { Pool } from 'pg';
import { passwordIn, prepared, programIn, type Prepared } from './signer-files';
import { runProgram, type Program, type ProgramFile } from './signer-program';
import { TreasuryDouble } from './treasury-double';

type Env = Readonly<Record<string, string>>;
type Of<Value> = Record<HostedRole, Value>;

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** Its secret is forgotten: the suite has no use for it. */
export const freshRecoveryKey = (): string => base64(recoveryKeyPair().public_key);
const nameOf = (role: HostedRole): string => `signer_${role.toLowerCase()}`;

/** Two signers as they are started everywhere, and an attacker who has all of treasury and the network. */
export class Battlefield {
  readonly treasury: TreasuryDouble;
  readonly recovery_key = freshRecoveryKey();
  private readonly running: Partial<Of<Program>> = {};
  private readonly pools: Partial<Of<Pool>> = {};

  private constructor(
    private readonly folder: string,
    readonly signers: Of<Prepared>,
    private readonly postgres: RunningPostgres,
    private readonly localnet: SpawnedLocalnet,
    readonly chain: ChainClient,
    private readonly settings: Env,
  ) {
    this.treasury = new TreasuryDouble((role) => this.signer(role).url, this.recovery_key);
  }

  /** `settings`: of both signers, beside those that they need. */
  static async open(settings: Env = {}): Promise<Battlefield> {
    const folder = mkdtempSync(join(tmpdir(), 'tender-attack-'));
    const [A, B] = await Promise.all([prepared(folder, 'A'), prepared(folder, 'B')]);
    const roles = (['A', 'B'] as const).map((role) => ({
      role: nameOf(role),
      verifier: { A, B }[role].database_verifier,
    }));
    const [dataDir, chains] = [join(folder, 'postgres'), join(folder, 'chains')];
    mkdirSync(dataDir);
    const [postgres, localnet] = await Promise.all([
      startPostgres({ dataDir, log: silent, signers: roles }),
      spawnLocalnet({ dataDir: chains, slotMs: STILL_SLOT_MS }),
    ]);
    const chain = new ChainThere(localnet.networks);
    const field = new Battlefield(folder, { A, B }, postgres, localnet, chain, settings);
    try {
      await Promise.all([field.start('A'), field.start('B')]);
      return field;
    } catch (error) {
      await field.close();
      throw error;
    }
  }

  get identity_keys(): Of<string> {
    return { A: this.signers.A.identity_key, B: this.signers.B.identity_key };
  }

  signer(role: HostedRole): Program {
    return this.running[role] as Program;
  }

  /** The settings of a signer. None of them is secret. */
  env(role: HostedRole): Env {
    const { test, live } = this.chain.networks;
    return {
      ...{ SIGNER_ROLE: role, SIGNER_DIR: this.signers[role].dir, PORT: '0' },
      SIGNER_DATABASE_URL: this.urlOf(role),
      TREASURY_IDENTITY: this.treasury.identity.public_key,
      PEER_IDENTITY: this.signers[peerOf(role)].identity_key,
      RECOVERY_KEY: this.recovery_key,
      ...{ SOLANA_RPC_URL_TEST: test.rpc_url, SOLANA_RPC_URL_LIVE: live.rpc_url },
      ...{ SOLANA_GENESIS_TEST: test.genesis_hash, SOLANA_GENESIS_LIVE: live.genesis_hash },
      ...{ USDC_MINT_TEST: test.mints.USDC, USDT_MINT_TEST: test.mints.USDT },
      ...{ USDC_MINT_LIVE: live.mints.USDC, USDT_MINT_LIVE: live.mints.USDT },
      ...this.settings,
    };
  }

  /** The program that this signer runs at the time. */
  readonly programs: Of<ProgramFile> = { A: programIn(), B: programIn() };

  /** Starts a signer: at first, or after it was killed. */
  async start(role: HostedRole): Promise<void> {
    this.running[role] = await runProgram(this.programs[role], this.env(role));
  }

  /** As after a crash: nothing but its disk is left to it. */
  async restart(role: HostedRole, program = this.programs[role]): Promise<void> {
    await this.signer(role).kill();
    this.programs[role] = program;
    await this.start(role);
  }

  /** Runs a signer with other settings beside the others; what it said where it does not start, null where it does. */
  async refusalToStart(role: HostedRole, changes: Env): Promise<string | null> {
    try {
      const started = await runProgram(this.programs[role], { ...this.env(role), ...changes });
      await started.kill();
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Into a signer’s ledger, past the signer. */
  readonly ledger = (role: HostedRole): Pool => {
    const url = new URL(this.urlOf(role));
    url.password = encodeURIComponent(passwordIn(this.signers[role].dir));
    const config = { connectionString: url.href, max: 2 };
    return (this.pools[role] ??= ledgerPool(config, () => undefined));
  };

  /** While the clock of some signers is ahead. */
  async later<Result>(
    roles: readonly HostedRole[],
    ms: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    for (const role of roles) await this.signer(role).ahead(ms);
    try {
      return await work();
    } finally {
      for (const role of roles) await this.signer(role).ahead(0);
    }
  }

  /** No call to a node fails that was to fail and never came. */
  async nodesAreWell(): Promise<void> {
    for (const method of ['isBlockhashValid', 'getTransaction']) {
      await this.chain.call('localnet_failRpc', { method, count: 0 });
    }
  }

  async close(): Promise<void> {
    for (const role of ['A', 'B'] as const) {
      await this.pools[role]?.end();
      await this.running[role]?.kill();
    }
    await Promise.all([this.localnet.stop(), this.postgres.stop()]);
    rmSync(this.folder, { recursive: true });
  }

  private urlOf(role: HostedRole): string {
    const { host } = new URL(this.postgres.connectionString);
    return `postgres://${nameOf(role)}@${host}/${nameOf(role)}`;
  }
}
