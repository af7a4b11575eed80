import { TOKEN_DECIMALS } from '@tender/kernel';
import type { Operation } from '@tender/threshold';
import {
  associatedTokenAccount,
  markerOf,
  OUTGOING_UNIT_LIMIT,
  outgoingMessage,
  type OutgoingTransfer,
} from '@tender/transactions';
import { mintOf, type Rules } from '../rules';

/** What an honest treasury chooses by itself. */
export interface TreasurysChoice {
  readonly fee_payer: string;
  readonly recent_blockhash: string;
  readonly unit_price?: bigint;
}

/** The message that an honest treasury asks a signer to sign for an operation. */
export function honestMessage(op: Operation, rules: Rules, choice: TreasurysChoice): Uint8Array {
  const { wallet, to } = op;
  const { fee_payer, recent_blockhash, unit_price = 1_000n } = choice;
  return outgoingMessage({
    ...{ wallet, to, fee_payer, recent_blockhash },
    token: tokenOf(op, rules),
    amount: BigInt(op.amount),
    marker: markerOf(wallet, op.id),
    compute: { unit_limit: OUTGOING_UNIT_LIMIT, unit_price },
  });
}

function tokenOf({ wallet, to, asset }: Operation, rules: Rules): OutgoingTransfer['token'] {
  const mint = mintOf(rules, asset);
  if (mint === null) return null;
  const [source, destination] = [wallet, to].map((owner) => associatedTokenAccount(owner, mint));
  return { mint, decimals: TOKEN_DECIMALS[asset], source: source!, destination: destination! };
}
