import type { ScriptedTransaction } from './fake-chain-spec';

/** What `getSignaturesForAddress` may be asked besides the address. */
interface Page {
  readonly limit?: number;
  /** Signatures older than that one. */
  readonly before?: string;
  /** Signatures newer than that one. */
  readonly until?: string;
}

interface Signature {
  readonly signature: string;
  readonly slot: number;
  readonly blockTime: number;
  readonly err: null;
  readonly memo: null;
  readonly confirmationStatus: 'confirmed';
}

const LIMIT_MAX = 1_000;

/** Which scripted transactions name an address, as a node with its whole history knows it. */
export class SignaturesByAddress {
  /** Newest last. */
  private readonly known = new Map<string, Signature[]>();

  add(
    { signature, json }: ScriptedTransaction,
    { slot, block_time }: { readonly slot: number; readonly block_time: number },
  ): void {
    const { message } = (JSON.parse(json) as Written).transaction;
    const status = { err: null, memo: null, confirmationStatus: 'confirmed' } as const;
    const one = { signature, slot, blockTime: block_time, ...status };
    for (const key of message.accountKeys) {
      const there = this.known.get(key);
      if (there) there.push(one);
      else this.known.set(key, [one]);
    }
  }

  /** Newest first. */
  of(address: string, options: unknown): readonly Signature[] {
    const { limit = LIMIT_MAX, before, until } = (options ?? {}) as Page;
    const all = this.known.get(address) ?? [];
    const place = (signature: string | undefined) =>
      signature === undefined ? -1 : all.findIndex((one) => one.signature === signature);
    const end = place(before);
    const slice = all.slice(place(until) + 1, end === -1 ? undefined : end);
    return slice.reverse().slice(0, limit);
  }
}

interface Written {
  readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
}
