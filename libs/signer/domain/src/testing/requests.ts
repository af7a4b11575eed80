import type { Operation, Roster } from '@tender/threshold';
import { base58, PRIORITY_LAMPORTS_MAX } from '@tender/transactions';
import { someAddress, testWallet } from '@tender/transactions/testing';
import type { LedgerView, SigningRequest } from '../judge';
import type { Rules } from '../rules';

export const NOW_MS = 1_790_000_000_000;
export const wallet = testWallet(1).address;
export const fee_payer = testWallet(2).address;
export const customer = testWallet(3).address;
export const settlement_wallet = testWallet(4).address;
export const attacker = testWallet(5).address;
export const recent_blockhash = someAddress(6);
export const signature = base58(new Uint8Array(64).fill(7));

export const rules: Rules = {
  mints: { USDC: someAddress(8), USDT: someAddress(9) },
  sol_usd_cents: 15_000,
  day_limit_cents: 1_000_000,
  priority_lamports_max: PRIORITY_LAMPORTS_MAX,
};

export const roster: Roster = {
  v: 1,
  ...{ wallet, merchant_id: 'merchant-1', mode: 'test', beneficiary: 'merchant' },
  ...{ epoch: 1, threshold: 2, commitments: [], parties: [], settlement_wallet },
  recovery: { sealed_to: '', sealed_share: '' },
};

export const refund: Operation = {
  ...{ v: 1, id: 'refund-1', type: 'refund', mode: 'test', wallet, to: customer },
  ...{ asset: 'USDC', amount: '2500000', credit: signature, exp: NOW_MS + 60_000 },
};
export const settlement: Operation = {
  ...refund,
  ...{ id: 'settlement-1', type: 'settlement', to: settlement_wallet, credit: null },
};
export const inSol = (op: Operation): Operation => ({ ...op, asset: 'SOL', amount: '40000000' });

/** The ledger of a signer that knows of no other operation. */
export const NOTHING_KEPT: LedgerView = {
  ...{ session_burned: false, existing: null },
  ...{ day_used_cents: 0, credit_used: 0n, is_to_operating_wallet: false },
};

/** What an honest treasury asks for an operation, at a signer that knows of no other one. */
export const honestRequest = (
  op: Operation,
  changes: Partial<SigningRequest> = {},
): SigningRequest => ({
  ...{ op, roster, frozen: false, rules, now_ms: NOW_MS },
  credit:
    op.type === 'refund'
      ? {
          ...{ found: true, failed: false, credited: op.wallet, net_credit: 10n ** 9n },
          ...{ sources: [op.to], is_exchange: false },
        }
      : null,
  ledger: NOTHING_KEPT,
  ...changes,
});
