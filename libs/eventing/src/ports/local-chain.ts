import type { Mode, Token } from '@tender/kernel';

/** One local network as a client needs to know it. */
export interface LocalNetwork {
  readonly rpc_url: string;
  readonly ws_url: string;
  readonly mints: { readonly USDC: string; readonly USDT: string };
  readonly fee_payer: string;
}

export interface LocalPayment {
  readonly recipient: string;
  readonly token: Token;
  /** Base units. */
  readonly amount: bigint;
  readonly reference: string;
  /** Base58 secret of the payer; null makes a fresh, funded wallet. */
  readonly from: string | null;
}

/** The chains of the embedded run, with the money and the time that a real chain would not give. */
export interface LocalChain {
  readonly networks: Readonly<Record<Mode, LocalNetwork>>;
  /**
   * Gives `amount` base units to an address; answers once the transfer is confirmed. Throws `TransferRefused` where the
   * chain lets no account receive it.
   */
  faucet(mode: Mode, address: string, token: Token, amount: bigint): Promise<string>;
  /**
   * Answers once the transfer is confirmed. Throws `InsufficientFunds` when `from` cannot pay, `MalformedSecret` when
   * it is no secret.
   */
  pay(mode: Mode, payment: LocalPayment): Promise<{ signature: string; wallet: string }>;
  /** Moves both ledgers' clocks; time never goes back. */
  setOffset(offset_ms: number): Promise<void>;
  /** Makes both ledgers produce a block of at least that time at every commitment. Unix seconds. */
  produceUntil(unix_seconds: number): Promise<void>;
}

export class MalformedSecret extends Error {
  override readonly name = 'MalformedSecret';
}

/** The chain was asked to move money to where it moves none: an account of the system, say. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused';
}

export class InsufficientFunds extends Error {
  override readonly name = 'InsufficientFunds';
}
