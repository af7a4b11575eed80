import { readTokenAccount, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../wire/token-layout';
import type { Vm, VmAccount } from './vm';

/** Token accounts by wallet: scanning 10,000 of them per question would take 0.1 s. */
export class TokenOwners {
  private readonly accountsOf = new Map<string, Set<string>>();
  private readonly ownerOf = new Map<string, string>();

  static of(vm: Vm): TokenOwners {
    const owners = new TokenOwners();
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      for (const { address, account } of vm.accountsOwnedBy(program)) owners.saw(address, account);
    }
    return owners;
  }

  /** The account as it is now. */
  saw(address: string, account: VmAccount | null): void {
    const owner = (account && readTokenAccount(account.owner, account.data))?.owner;
    const known = this.ownerOf.get(address);
    if (known === owner) return;
    if (known !== undefined) this.forget(address, known);
    if (owner === undefined) return;
    this.ownerOf.set(address, owner);
    const accounts = this.accountsOf.get(owner) ?? new Set();
    this.accountsOf.set(owner, accounts.add(address));
  }

  private forget(address: string, owner: string): void {
    this.ownerOf.delete(address);
    const accounts = this.accountsOf.get(owner);
    accounts?.delete(address);
    if (accounts?.size === 0) this.accountsOf.delete(owner);
  }

  accounts(owner: string): string[] {
    return [...(this.accountsOf.get(owner) ?? [])];
  }
}
