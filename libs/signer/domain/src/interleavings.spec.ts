import { operationDigest, type LedgerState, type Operation } from '@tender/threshold';
import { testWallet } from '@tender/transactions/testing';
import fc from 'fast-check';
import { judge, type LedgerView } from './judge';
import { mintOf } from './rules';
import {
  attacker,
  honestRequest,
  inSol,
  NOW_MS,
  refund,
  roster,
  rules,
  settlement,
  settlement_wallet,
  signature,
} from './testing/requests';
import { usdCentsOf } from './usd-cents';

const DAY_LIMIT_CENTS = 2_000;
const CREDIT = 9_000_000n;
const limited = { ...rules, day_limit_cents: DAY_LIMIT_CENTS };

/** What counts against a credit and a day: what may have left, or still may. */
const COUNTED: readonly LedgerState[] = ['reserved', 'share_out', 'settled'];

interface Row {
  readonly op: Operation;
  readonly usd_cents: number;
  readonly state: LedgerState;
}

/** A signer’s ledger as simple as can be: the truth that judgements are held against. */
class Ledger {
  readonly rows = new Map<string, Row>();

  view(op: Operation): LedgerView {
    const others = this.counted().filter((row) => row.op.id !== op.id);
    const row = this.rows.get(op.id);
    return {
      // Each step is of a session of its own.
      session_burned: false,
      existing: row ? { state: row.state, op_digest: operationDigest(row.op) } : null,
      day_used_cents: others
        .filter((other) => other.op.wallet === op.wallet)
        .reduce((sum, { usd_cents }) => sum + usd_cents, 0),
      is_to_operating_wallet: false,
      credit_used: others
        .filter((other) => isOfOneCredit(other.op, op))
        .reduce((sum, other) => sum + BigInt(other.op.amount), 0n),
    };
  }

  counted(): Row[] {
    return [...this.rows.values()].filter(({ state }) => COUNTED.includes(state));
  }

  move(id: string, from: readonly LedgerState[], state: LedgerState): void {
    const row = this.rows.get(id);
    if (row && from.includes(row.state)) this.rows.set(id, { ...row, state });
  }
}

/** Of whichever wallet: all settle to the one that the credit came to. */
const isOfOneCredit = (one: Operation, other: Operation): boolean =>
  one.credit !== null && one.credit === other.credit && one.asset === other.asset;

const other_wallet = testWallet(6).address;
const ids = ['a', 'b', 'c', 'd', 'e'];
const kinds = [
  refund,
  settlement,
  { ...refund, wallet: other_wallet },
  { ...refund, asset: 'USDT' as const },
  inSol(refund),
  inSol(settlement),
];
const step = fc.record({
  id: fc.constantFrom(...ids),
  kind: fc.constantFrom(...kinds),
  // Of tokens up to 8 dollars, of SOL up to 1.2.
  amount: fc.integer({ min: 1, max: 8_000_000 }),
  to_attacker: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  does: fc.constantFrom(
    'propose',
    'propose',
    'propose',
    'share',
    'settle',
    'fail',
    'release',
    'give up',
  ),
});
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

function play(ledger: Ledger, { id, kind, amount, to_attacker, does }: Step): boolean {
  if (does === 'share') ledger.move(id, ['reserved'], 'share_out');
  if (does === 'settle') ledger.move(id, ['share_out'], 'settled');
  if (does === 'fail') ledger.move(id, ['share_out'], 'failed_on_chain');
  if (does === 'release') ledger.move(id, ['share_out'], 'released');
  if (does === 'give up') ledger.move(id, ['reserved'], 'released');
  if (does !== 'propose') return false;
  const known = ledger.rows.get(id)?.op;
  const to = to_attacker ? attacker : kind.to;
  const made: Operation = {
    ...kind,
    id,
    to,
    amount: String(amount),
    exp: NOW_MS + 1 + (amount % 1_000),
  };
  // Mostly the same operation again, as a treasury asks that has crashed; sometimes another one under its id.
  const op = known && amount % 4 > 0 ? { ...known, exp: made.exp } : made;
  const sources = [kind.to];
  const credit =
    op.type === 'refund'
      ? {
          ...{ found: true, failed: false, is_exchange: false },
          ...{ credited: settlement_wallet, net_credit: CREDIT, sources },
        }
      : null;
  const view = ledger.view(op);
  const of = { ...roster, wallet: op.wallet };
  const judgement = judge(honestRequest(op, { roster: of, rules: limited, credit, ledger: view }));
  if (judgement.ok) ledger.rows.set(id, { op, usd_cents: judgement.usd_cents, state: 'reserved' });
  return judgement.ok;
}

test('whatever is asked for in whatever order, no more leaves than credits and the day allow', () => {
  const seen = { allowed: 0, refused: 0 };
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 25 }), (steps) => {
      const ledger = new Ledger();
      const final = new Map<string, LedgerState>();
      for (const one of steps) {
        const allowed = play(ledger, one);
        seen[allowed ? 'allowed' : 'refused'] += 1;
        expectWithinLimits(ledger);
        // What was settled or may still land is never asked for again.
        for (const [id, { state }] of ledger.rows) {
          if (final.get(id) === 'settled') expect(state).toBe('settled');
          final.set(id, state);
        }
      }
    }),
    { numRuns: 150 },
  );
  expect(Math.min(seen.allowed, seen.refused)).toBeGreaterThan(200);
});

function expectWithinLimits(ledger: Ledger): void {
  const counted = ledger.counted();
  for (const wallet of [refund.wallet, other_wallet]) {
    const of_wallet = counted.filter(({ op }) => op.wallet === wallet);
    const day = of_wallet.reduce((sum, { op }) => sum + usdCentsOf(op, limited), 0);
    expect(day).toBeLessThanOrEqual(DAY_LIMIT_CENTS);
  }
  for (const asset of ['USDC', 'USDT', 'SOL'] as const) {
    const refunds = counted.filter(({ op }) => op.credit === signature && op.asset === asset);
    const sum = refunds.reduce((total, { op }) => total + BigInt(op.amount), 0n);
    expect(sum <= CREDIT).toBe(true);
  }
  for (const { op } of counted) expect(op.to).not.toBe(attacker);
  expect(mintOf(limited, 'SOL')).toBeNull();
}
