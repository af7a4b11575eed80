import { randomBytes } from 'node:crypto';
import { startTestPostgres } from '@tender/adapter-postgres/testing';
import { Unavailable, type SignerLink } from '@tender/eventing';
import { ledgerPool, openLedger, signerService, type SignerChain, type SignerService } from '@tender/signer-features';
import type { Rules, ToldTransaction } from '@tender/signer-domain';
import { APPROVAL } from '@tender/signer-domain/testing';
import { identityOf, localKeyEncryption, type HostedRole, type Identity } from '@tender/threshold';
import {
  associatedTokenAccount, base58, base64, PRIORITY_LAMPORTS_MAX, TOKEN_PROGRAM,
} from '@tender/transactions';
import { someAddress } from '@tender/transactions/testing';
import type { Pool } from 'pg';
import { SignersDouble } from './signers-double';

export const RULES: Rules = {
  mints: { USDC: someAddress(8), USDT: someAddress(9) },
  sol_usd_cents: 15_000,
  day_limit_cents: 1_000_000,
  priority_lamports_max: PRIORITY_LAMPORTS_MAX,
};

/** A chain on which every blockhash is good; what came in, and what becomes of what goes out, the test says. */
export class ToldChain implements Pick<SignerChain, 'blockhash' | 'incoming' | 'outcome'> {
  /** By their signatures. */
  private readonly landed = new Map<string, ToldTransaction>();
  /** Of every message. */
  becomes: Awaited<ReturnType<SignerChain['outcome']>> = 'open';

  blockhash = async () => ({ valid: true, dead_after_height: 200, seen_slot: 50 });
  incoming = async (signature: string) => this.landed.get(signature) ?? null;
  outcome = async () => this.becomes;

  /** One pays another in USDC, or several others; answers the signature. */
  paid(from: string, amount: bigint, ...to: readonly [string, ...string[]]): string {
    const signature = base58(randomBytes(64));
    const mint = RULES.mints.USDC;
    const of = (owner: string, delta: bigint) => {
      const account = associatedTokenAccount(owner, mint);
      return { account, owner, mint, program: TOKEN_PROGRAM, delta };
    };
    const paying = of(from, -amount * BigInt(to.length));
    const tokens = [paying, ...to.map((owner) => of(owner, amount))];
    const rest = { failed: false, lamports: new Map(), instructions: [] };
    this.landed.set(signature, { ...rest, signers: [from], tokens });
    return signature;
  }
}

const silent = () => undefined;

/** The services of both signers as they are released, each on a ledger of its own; R is that of the doubles. */
export class RealSigners extends SignersDouble {
  readonly chain = new ToldChain();
  /** What their clocks are ahead, in ms. */
  ahead_ms = 0;
  /** Those whose answers are lost: they hear all the same. */
  readonly unheard = new Set<HostedRole>();
  /** Those that hear nothing. */
  readonly deaf = new Set<HostedRole>();
  private readonly pools: Pool[] = [];
  private stopped: (() => Promise<void>) | null = null;

  async start(): Promise<void> {
    const postgres = await startTestPostgres();
    this.stopped = postgres.stop;
    const chain = this.chain as unknown as SignerChain;
    const identities = { A: identityOf(randomBytes(32)), B: identityOf(randomBytes(32)) };
    const open = async (role: HostedRole, peer: Identity): Promise<SignerLink> => {
      const ledger = ledgerPool({ connectionString: await postgres.database(), max: 4 }, silent);
      this.pools.push(ledger);
      const kek = localKeyEncryption(randomBytes(32));
      await openLedger(ledger, role, kek);
      const service = signerService({
        ...{ role, kek, ledger, identity: identities[role], peer_identity: peer.public_key },
        treasury_identity: this.identity.public_key,
        recovery_key: base64(this.recovery.public_key),
        chains: { test: chain, live: chain },
        rules: { test: RULES, live: RULES },
        approval: APPROVAL,
        clock: { wall: () => Date.now() + this.ahead_ms },
        log: { info: silent, warn: silent, error: silent },
      });
      return this.linkTo(role, service);
    };
    const [A, B] = [await open('A', identities.B), await open('B', identities.A)];
    const identity_keys = { A: identities.A.public_key, B: identities.B.public_key };
    Object.assign(this, { A, B, identity_keys });
  }

  async stop(): Promise<void> {
    for (const pool of this.pools) await pool.end();
    await this.stopped?.();
  }

  private linkTo(role: HostedRole, service: SignerService): SignerLink {
    return {
      ask: async (message) => {
        if (this.deaf.has(role)) throw new Unavailable('a signer');
        const answer = await service.answer(JSON.parse(JSON.stringify(message)));
        // What it does not know as treasury’s it does not answer.
        if (answer === null || this.unheard.has(role)) throw new Unavailable('a signer');
        return JSON.parse(JSON.stringify(answer)) as unknown;
      },
    };
  }
}
