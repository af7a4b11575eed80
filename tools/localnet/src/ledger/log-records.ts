import type { TransactionError } from './vm-errors';
import type { InnerInstructions, Outcome } from './vm';
import type { TimelineChange } from './timeline';

/** A token account's balance around a transaction, in the RPC's form. */
export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly uiTokenAmount: {
    readonly amount: string;
    readonly decimals: number;
    readonly uiAmount: number;
    readonly uiAmountString: string;
  };
}

/** Read at every start: what the index needs. Short names, there is one per transaction. */
export interface TransactionHeader {
  readonly type: 'tx';
  readonly slot: number;
  readonly sig: string;
  /** Static keys, then loaded writable ones, then loaded read-only ones. */
  readonly keys: readonly string[];
  readonly err?: TransactionError;
  readonly memo?: string;
  /** `Vm.hashesExpired` when it ran. */
  readonly expired: number;
}

/** Read when a client asks for the transaction, and to run it again after a crash. */
export interface TransactionBody {
  /** base64 */
  readonly wire: string;
  readonly fee: number;
  readonly staticKeys: number;
  readonly loadedWritable: number;
  readonly preBalances: readonly number[];
  readonly postBalances: readonly number[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
  readonly logs: readonly string[];
  readonly inner: readonly InnerInstructions[];
  readonly computeUnits: number;
  readonly returnData: Outcome['returnData'];
}

/** An account put there by a control method; without lamports it is gone. */
export interface AccountHeader {
  readonly type: 'account';
  readonly slot: number;
  readonly address: string;
  readonly lamports: string;
  readonly owner: string;
  readonly executable: boolean;
}

export interface AccountBody {
  /** base64 */
  readonly data: string;
}

/** Slots skipped, warped or forked, and the offset of the ledger's clock. */
export interface TimelineHeader {
  readonly type: 'timeline';
  readonly change: TimelineChange;
  readonly offsetMs: number;
}

/** Everything after `toSlot` never happened; `change` brings the blocks of the new fork. */
export interface RollbackHeader {
  readonly type: 'rollback';
  readonly toSlot: number;
  readonly change: TimelineChange;
}

export type LogHeader = TransactionHeader | AccountHeader | TimelineHeader | RollbackHeader;
