import type { ContextStage } from '@tender/runtime/testing';

interface Payment {
  readonly payment_id: string;
  readonly token_amount: string;
  readonly token_mint: string;
  readonly merchant_id: string;
  readonly expires_at: string;
}

/** What the chain makes of payments in USDC, as the chain indexer says it. */
export const fateOf = (stage: Pick<ContextStage, 'say' | 'runtime'>) => ({
  confirm: ({ payment_id, token_amount, token_mint, merchant_id }: Payment) =>
    stage.say(`watch.test-${payment_id}`, 'chain-indexer.credit-allocated.v1', {
      ...{ payment_id, merchant_id, token: 'USDC', token_mint, amount: token_amount },
      ...{ transaction_signature: `S-${payment_id}`, from_wallet: 'C1' },
      block_time: new Date(stage.runtime.clock.now()).toISOString(),
    }),
  fail: ({ payment_id, merchant_id }: Payment) =>
    stage.say(`watch.test-${payment_id}`, 'chain-indexer.submission-failed.v1', {
      ...{ payment_id, merchant_id, transaction_signature: `S-${payment_id}` },
      ...{ customer_wallet: 'C1', reason: 'InsufficientFunds' },
    }),
  expire: ({ payment_id, merchant_id, expires_at }: Payment) =>
    stage.say(`watch.test-${payment_id}`, 'chain-indexer.watch-closed.v1', {
      ...{ payment_id, merchant_id },
      watermark: new Date(Date.parse(expires_at) + 400).toISOString(),
    }),
});

export type Fate = ReturnType<typeof fateOf>;
