import { invariant } from '@tender/kernel';
import bs58 from 'bs58';
// litesvm's public classes speak @solana/kit types; the native layer below takes raw bytes, so no
// client library sits between the RPC and the VM. Pinned version; vm.spec.ts guards this import.
import { Account, Clock, LiteSvm } from 'litesvm/dist/internal.js';
import type {
  FailedTransactionMetadata,
  SimulatedTransactionInfo,
  TransactionMetadata,
} from 'litesvm/dist/internal.js';
import { SYSTEM_PROGRAM } from '../wire/token-layout';
import { transactionError, type TransactionError } from './vm-errors';

export interface VmAccount {
  readonly lamports: bigint;
  readonly owner: string;
  readonly data: Buffer;
  readonly executable: boolean;
}

export interface InnerInstructions {
  readonly index: number;
  readonly instructions: readonly {
    readonly programIdIndex: number;
    readonly accounts: readonly number[];
    /** base58 */
    readonly data: string;
    readonly stackHeight: number;
  }[];
}

/** The result of running a transaction; also when it failed. */
export interface Outcome {
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly inner: readonly InnerInstructions[];
  readonly computeUnits: number;
  readonly returnData: { readonly programId: string; readonly data: string } | null;
}

export interface Simulation extends Outcome {
  readonly accountsAfter: ReadonlyMap<string, VmAccount>;
}

/** What a program can see of time and blocks. */
export interface VmSlot {
  readonly slot: number;
  readonly unixSeconds: number;
  readonly slotHashes: readonly { readonly slot: bigint; readonly hash: string }[];
}

const SLOTS_PER_EPOCH = 432_000;

export const keyBytes = (address: string): Uint8Array => bs58.decode(address);

const readAccount = (account: Account): VmAccount => ({
  lamports: account.lamports(),
  owner: bs58.encode(account.owner()),
  data: Buffer.from(account.data()),
  executable: account.executable(),
});

function innerOf(meta: TransactionMetadata): InnerInstructions[] {
  return meta
    .innerInstructions()
    .map((list, index) => ({
      index,
      instructions: list.map((inner) => {
        const instruction = inner.instruction();
        return {
          programIdIndex: instruction.programIdIndex(),
          accounts: [...instruction.accounts()],
          data: bs58.encode(instruction.data()),
          stackHeight: inner.stackHeight(),
        };
      }),
    }))
    .filter((group) => group.instructions.length > 0);
}

function outcomeOf(meta: TransactionMetadata, error: TransactionError | null): Outcome {
  const returned = meta.returnData();
  const data = Buffer.from(returned.data());
  return {
    error,
    logs: meta.logs(),
    inner: innerOf(meta),
    computeUnits: Number(meta.computeUnitsConsumed()),
    returnData: data.length
      ? { programId: bs58.encode(returned.programId()), data: data.toString('base64') }
      : null,
  };
}

type VmResult = TransactionMetadata | SimulatedTransactionInfo | FailedTransactionMetadata;

// By name: `instanceof` does not hold where the native module was loaded twice (jest does).
const isFailed = (result: VmResult): result is FailedTransactionMetadata =>
  result.constructor.name === 'FailedTransactionMetadata';

/** The Solana runtime. Ages of blockhashes and repeats are the ledger's rules, not its own. */
export class Vm {
  private expired = 0;
  private current = -1;

  private constructor(private readonly svm: LiteSvm) {
    // litesvm knows only its newest blockhash and its last 32 signatures: with its own checks a
    // transaction would fail one slot later, and land a second time 32 transactions later.
    svm.setBlockhashCheck(false);
    svm.setTransactionHistory(0n);
  }

  static fresh(): Vm {
    const svm = new LiteSvm();
    svm.withNativeMints();
    const vm = new Vm(svm);
    // litesvm's own airdrop wallet is another one in each VM: no replay would be exact.
    for (const { address, account } of vm.accountsOwnedBy(SYSTEM_PROGRAM)) {
      vm.setAccount(address, { ...account, lamports: 0n });
    }
    return vm;
  }

  static restore(bytes: Uint8Array, expired: number): Vm {
    const vm = new Vm(LiteSvm.fromBytes(bytes));
    vm.expired = expired;
    return vm;
  }

  /** How often the VM's own blockhash moved on. Nonces derive from it, so replay repeats it. */
  get hashesExpired(): number {
    return this.expired;
  }

  expireHashesTo(count: number): void {
    for (; this.expired < count; this.expired += 1) this.svm.expireBlockhash();
  }

  /**
   * Programs now see this slot. Called again for the same slot it does nothing.
   * `expired` is given by a replay: the count that the first run had.
   */
  enter(slot: number, describe: () => VmSlot, expired = this.expired + 1): void {
    if (slot === this.current) return;
    const { unixSeconds, slotHashes } = describe();
    const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH));
    this.expireHashesTo(expired);
    this.svm.setClock(new Clock(BigInt(slot), 0n, epoch, epoch + 1n, BigInt(unixSeconds)));
    this.svm.setSlotHashes([...slotHashes]);
    this.current = slot;
  }

  execute(wire: Uint8Array): Outcome {
    const result = this.svm.sendVersionedTransaction(wire);
    if (!isFailed(result)) return outcomeOf(result, null);
    return outcomeOf(result.meta(), transactionError(result.err()));
  }

  /** Runs without effect. */
  simulate(wire: Uint8Array, verifySignatures: boolean): Simulation {
    this.svm.setSigverify(verifySignatures);
    try {
      const result = this.svm.simulateVersionedTransaction(wire);
      if (isFailed(result)) {
        const outcome = outcomeOf(result.meta(), transactionError(result.err()));
        return { ...outcome, accountsAfter: new Map() };
      }
      const accountsAfter = new Map(
        result
          .postAccounts()
          .map((after) => [bs58.encode(after.address), readAccount(after.account())] as const),
      );
      return { ...outcomeOf(result.meta(), null), accountsAfter };
    } finally {
      this.svm.setSigverify(true);
    }
  }

  /** Null when it does not exist; an account without lamports does not. */
  account(address: string | Uint8Array): VmAccount | null {
    const key = typeof address === 'string' ? keyBytes(address) : address;
    const account = this.svm.getAccount(key);
    return account && account.lamports() > 0n ? readAccount(account) : null;
  }

  lamports(address: string): bigint {
    return this.svm.getBalance(keyBytes(address)) ?? 0n;
  }

  /** One after the other: there may be tens of thousands. */
  *accountsOwnedBy(program: string): Generator<{ address: string; account: VmAccount }> {
    for (const found of this.svm.getProgramAccounts(keyBytes(program))) {
      const account = readAccount(found.account());
      if (account.lamports > 0n) yield { address: bs58.encode(found.address), account };
    }
  }

  setAccount(address: string, account: VmAccount): void {
    const { lamports, data, owner, executable } = account;
    invariant(lamports >= 0n, 'lamports are not negative');
    this.svm.setAccount(
      keyBytes(address),
      new Account(lamports, data, keyBytes(owner), executable, 0n),
    );
  }

  /** Lamports that an account of `bytes` bytes must hold. */
  rentExemption(bytes: number): bigint {
    return this.svm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  /** Throws above about 43,690 accounts: litesvm allocates 4 MiB for it at most. */
  toBytes(): Uint8Array {
    return this.svm.toBytes();
  }
}
