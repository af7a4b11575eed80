import { base58, markerOf, outgoingMessage } from '@tender/transactions';

const [wallet, fee_payer, to, blockhash] = [3, 4, 5, 6].map((fill) =>
  base58(Buffer.alloc(32, fill)),
) as [string, string, string, string];

/** A message that sends so many lamports. */
export const outgoing = (amount: bigint): Uint8Array =>
  outgoingMessage({
    ...{ wallet, fee_payer, to, token: null, amount, recent_blockhash: blockhash },
    marker: markerOf(wallet, 'otr_1'),
    compute: { unit_limit: 100_000, unit_price: 0n },
  });
