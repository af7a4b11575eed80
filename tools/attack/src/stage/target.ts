import { randomBytes } from 'node:crypto';
import type { Mode } from '@tender/kernel';
import type { HostedRole, Operation, Roster, Signed } from '@tender/threshold';
import { base58, base64 } from '@tender/transactions';
import { wordOf } from './answer';
import type { Battlefield } from './battlefield';
import { paidIn, Transfers, type Credited } from './transfers';
import { freshSession } from './treasury-double';

export const USDC = 1_000_000n;
const CREDIT = { tokens: 50_000n * USDC, lamports: 2_000_000_000 };
/** What an honest transfer of the suite moves: little of a day’s limit. */
export const SOME = { USDC: 2n * USDC, SOL: 4_000_000n } as const;

/** What treasury has of a signature that was begun. */
export interface Begun {
  readonly op: Operation;
  readonly message: Uint8Array;
  readonly session: string;
  /** Of A and of B. */
  readonly commits: readonly [Signed, Signed];
}

/** A wallet with money that a customer paid in. What is done to it is done to no other. */
export class Target {
  private constructor(
    readonly field: Battlefield,
    readonly roster: Roster,
    readonly transfers: Transfers,
    /** USDC and SOL, by one transaction. */
    readonly credited: Credited,
  ) {}

  static async open(
    field: Battlefield,
    settlement_wallet = someWallet(),
    mode: Mode = 'test',
  ): Promise<Target> {
    const plan = { settlement_wallet, mode };
    const roster = await field.treasury.openWallet(field.identity_keys, plan);
    const transfers = await Transfers.of(field.chain, roster);
    const credited = await paidIn(field.chain, roster.wallet, CREDIT.tokens, CREDIT.lamports);
    return new Target(field, roster, transfers, credited);
  }

  another(settlement_wallet?: string, mode?: Mode): Promise<Target> {
    return Target.open(this.field, settlement_wallet, mode);
  }

  get wallet(): string {
    return this.roster.wallet;
  }

  refund(asset: 'USDC' | 'SOL' = 'USDC', credited = this.credited): Operation {
    return this.transfers.operation(credited, SOME[asset], asset);
  }

  settlement(): Operation {
    return this.transfers.settlement(this.roster.settlement_wallet as string, SOME.USDC);
  }

  /** The answer to a message of treasury, in a word. */
  readonly ask = async (
    role: HostedRole,
    kind: string,
    body: unknown,
    session = freshSession(),
  ): Promise<string> => {
    const { treasury } = this.field;
    return wordOf(await treasury.post(role, treasury.signed(role, kind, body, session)));
  };

  /** A proposal; with the honest message of the operation unless there is another. */
  async propose(
    role: HostedRole,
    op: Operation,
    message?: Uint8Array,
    session?: string,
  ): Promise<string> {
    const bytes = message ?? (await this.transfers.message(op));
    return this.ask(role, 'propose', { op, message: base64(bytes) }, session);
  }

  /** Both have committed to their nonces. */
  async begun(op: Operation = this.refund(), session = freshSession()): Promise<Begun> {
    const message = await this.transfers.message(op);
    const commits = await this.field.treasury.propose(op, message, session);
    if (typeof commits === 'string') throw new Error(`an honest transfer was refused: ${commits}`);
    return { op, message, session, commits: commits as [Signed, Signed] };
  }

  share(role: HostedRole, { session }: Pick<Begun, 'session'>, commits: unknown): Promise<string> {
    return this.ask(role, 'sign', { commits }, session);
  }

  /** The signature of the wallet, or who refused it and why. */
  async sign(op: Operation, message?: Uint8Array): Promise<Uint8Array | string> {
    const bytes = message ?? (await this.transfers.message(op));
    return this.field.treasury.sign(this.roster, op, bytes);
  }

  /** Signs what must be signed. */
  async signed(op: Operation, message: Uint8Array): Promise<Uint8Array> {
    const signature = await this.sign(op, message);
    if (typeof signature !== 'string') return signature;
    throw new Error(`an honest transfer was refused: ${signature}`);
  }

  /** Where an operation stands by the ledger of a signer, which looks at its chain first. */
  async stateOf(role: HostedRole, { id }: Operation): Promise<string> {
    const told = await this.field.treasury.told(role, 'observe', { operation_id: id });
    return String((told as { state: string | null }).state);
  }
}

/** An address that the signers have nothing to do with. */
export const someWallet = (): string => base58(randomBytes(32));
