import { compileMessage } from './compile-message';
import { makeMarker, MARKER_RENT, type Marker } from './marker';
import { readMessage } from './message';
import {
  computeBudget,
  createTokenAccount,
  transferSol,
  transferToken,
  type ComputeBudget,
} from './programs';

/** The accounts of a transfer in tokens. */
export interface SentToken {
  readonly mint: string;
  readonly decimals: number;
  /** The wallet’s account. */
  readonly source: string;
  /** The receiver’s associated account; made where it is missing. */
  readonly destination: string;
}

/** One transfer out of a wallet whose shares signers hold. */
export interface OutgoingTransfer {
  readonly wallet: string;
  /** Pays the fee, the rent of the marker and that of the destination; never the wallet. */
  readonly fee_payer: string;
  readonly to: string;
  /** Null: SOL. */
  readonly token: SentToken | null;
  /** Base units. */
  readonly amount: bigint;
  readonly marker: Marker;
  readonly recent_blockhash: string;
  readonly compute: ComputeBudget;
}

/** The marker, the destination’s account and the transfer. */
export const OUTGOING_UNIT_LIMIT = 100_000;

/**
 * The message of a transfer. Its marker is made with it: either both have happened or neither, so a transfer that is
 * signed again over another blockhash moves nothing where the first one landed. Throws `Malformed` where the chain
 * would not read it.
 */
export function outgoingMessage(transfer: OutgoingTransfer): Uint8Array {
  const { fee_payer, marker, recent_blockhash, compute } = transfer;
  const instructions = [
    ...computeBudget(compute),
    transferSol(fee_payer, marker.address, MARKER_RENT),
    ...makeMarker(marker, fee_payer),
    ...moneyOf(transfer),
  ];
  const message = compileMessage({ fee_payer, recent_blockhash, instructions });
  readMessage(message);
  return message;
}

function moneyOf({ token, wallet, fee_payer, to, amount }: OutgoingTransfer) {
  if (token === null) return [transferSol(wallet, to, amount)];
  const { source, destination, mint, decimals } = token;
  return [
    createTokenAccount({ payer: fee_payer, account: destination, owner: to, mint }),
    transferToken({ source, destination, owner: wallet, mint, decimals, amount }),
  ];
}
