import { paidIn, Transfers, type Battlefield, type Credited } from '@tender/attack/stage';
import type { Operation, Roster } from '@tender/threshold';

/** What is signed once. */
export interface Refund {
  readonly op: Operation;
  readonly message: Uint8Array;
}

const USDC = 1_000_000n;
/** A customer’s one payment is given back in parts of a cent. */
const [PAID, PART] = [50_000n * USDC, USDC / 100n];

/** An operating wallet that a ceremony has made, with a customer’s money to refund. */
export class RefundedWallet {
  private constructor(
    readonly roster: Roster,
    private readonly transfers: Transfers,
    private readonly credited: Credited,
  ) {}

  static async open({ treasury, identity_keys, chain }: Battlefield): Promise<RefundedWallet> {
    const roster = await treasury.openWallet(identity_keys);
    const transfers = await Transfers.of(chain, roster);
    const credited = await paidIn(chain, roster.wallet, PAID);
    return new RefundedWallet(roster, transfers, credited);
  }

  /** One that has never been asked for. */
  refund(blockhash: string): Refund {
    const op = this.transfers.operation(this.credited, PART);
    return { op, message: this.transfers.messageAt(op, blockhash) };
  }
}
