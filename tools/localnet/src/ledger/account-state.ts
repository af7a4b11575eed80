import type { DecodedTransaction } from '../wire/decoded-transaction';
import { executeTransaction, type Executed } from './execute-transaction';
import { TokenOwners } from './token-owners';
import type { Vm, VmAccount } from './vm';

/** All accounts, with what the ledger must know of them besides the VM. */
export class AccountState {
  readonly tokens: TokenOwners;
  /** Every program that owns an account, for the dump when the VM cannot write itself. */
  readonly programs: Set<string>;

  constructor(
    readonly vm: Vm,
    programs: Iterable<string>,
  ) {
    this.tokens = TokenOwners.of(vm);
    this.programs = new Set(programs);
  }

  execute(decoded: DecodedTransaction): Executed | null {
    const executed = executeTransaction(this.vm, decoded);
    executed?.header.keys.forEach((key, index) => {
      this.saw(key, executed.accounts[index] ?? null);
    });
    return executed;
  }

  put(address: string, account: VmAccount): void {
    this.vm.setAccount(address, account);
    this.saw(address, account);
  }

  private saw(address: string, account: VmAccount | null): void {
    const exists = account !== null && account.lamports > 0n;
    this.tokens.saw(address, exists ? account : null);
    if (exists) this.programs.add(account.owner);
  }
}
