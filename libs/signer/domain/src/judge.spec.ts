import {
  operationDigest, type LedgerState, type Operation, type RosterParty, type SignerCode,
} from '@tender/threshold';
import { judge, type SigningRequest } from './judge';
import { LIMIT_GUARDS, REFUND_GUARDS, REQUEST_GUARDS, SETTLEMENT_GUARDS } from './judge-guards';
import { attacksOnOperations } from './testing/attacks-on-operations';
import {
  attacker,
  honestRequest,
  inSol,
  NOTHING_KEPT,
  NOW_MS,
  refund,
  roster,
  rules,
  settlement,
  settlement_wallet,
  wallet,
} from './testing/requests';

const codeOf = (request: SigningRequest): SignerCode | 'passes' => {
  const judgement = judge(request);
  return judgement.ok ? 'passes' : judgement.code;
};
const existing = (
  op: Operation,
  state: LedgerState,
  known: Operation = op,
): Partial<SigningRequest> => ({
  ledger: { ...NOTHING_KEPT, existing: { state, op_digest: operationDigest(known) } },
});
const used = (day_used_cents: number, credit_used: bigint): Partial<SigningRequest> => ({
  ledger: { ...NOTHING_KEPT, day_used_cents, credit_used },
});
const credit = (
  changes: Partial<NonNullable<SigningRequest['credit']>>,
): Partial<SigningRequest> => ({
  credit: { ...honestRequest(refund).credit!, ...changes },
});
const expiring = (exp: number): Operation => ({ ...refund, exp });

describe('passes, and says what it takes of the day', () => {
  test.each<[string, SigningRequest, number]>([
    ['a refund', honestRequest(refund), 250],
    ['a settlement', honestRequest(settlement), 250],
    ['a refund in USDT', honestRequest({ ...refund, asset: 'USDT' }), 250],
    ['a refund in SOL, at the price of the signer', honestRequest(inSol(refund)), 600],
    ['a settlement in SOL', honestRequest(inSol(settlement)), 600],
    ['a part of a cent, which counts whole', honestRequest({ ...refund, amount: '1' }), 1],
    ['one lamport, which counts a cent', honestRequest({ ...inSol(refund), amount: '1' }), 1],
    ['the last millisecond', honestRequest(expiring(NOW_MS + 1)), 250],
    ['180 seconds ahead', honestRequest(expiring(NOW_MS + 180_000)), 250],
    ['the rest of a credit', honestRequest(refund, credit({ net_credit: 2_500_000n })), 250],
    ['the rest of a day', honestRequest(refund, used(999_750, 0n)), 250],
    ['a session that was given up', honestRequest(refund, existing(refund, 'reserved')), 250],
    [
      'an attempt after one that cannot land',
      honestRequest(refund, existing(refund, 'released')),
      250,
    ],
    [
      'another attempt with another end',
      honestRequest(refund, existing(refund, 'released', expiring(NOW_MS - 1))),
      250,
    ],
  ])('%s', (_, request, usd_cents) => expect(judge(request)).toEqual({ ok: true, usd_cents }));
});

const OWN_PARTIES = (['A', 'C', 'R'] as const).map((role): RosterParty => {
  const holder = role === 'A' ? 'tender' : 'merchant';
  return { role, holder, identity_key: '', verifying_share: '' };
});

const refused: readonly (readonly [SignerCode, string, SigningRequest])[] = [
  ...attacksOnOperations({ refund, settlement }, { attacker, now_ms: NOW_MS }).map(
    ({ code, name, op }) =>
      [code, name, honestRequest(op, op.type === 'refund' ? credit({}) : {})] as const,
  ),
  ['op_expiry_too_far', 'an attempt that lasts', honestRequest(expiring(NOW_MS + 180_001))],
  [
    'wallet_unknown',
    'the roster of another wallet',
    honestRequest(refund, { roster: { ...roster, wallet: attacker } }),
  ],
  [
    'mode_mismatch',
    'live money for a test',
    honestRequest(refund, { roster: { ...roster, mode: 'live' } }),
  ],
  [
    'op_type_not_allowed',
    'money of a customer',
    honestRequest(refund, { roster: { ...roster, beneficiary: 'customer' } }),
  ],
  [
    'op_type_not_allowed',
    'money of a wallet that is its merchant’s alone',
    honestRequest(refund, { roster: { ...roster, parties: OWN_PARTIES } }),
  ],
  ['wallet_frozen', 'a frozen wallet', honestRequest(refund, { frozen: true })],
  [
    'session_used',
    'another operation in a session whose share was given',
    honestRequest(refund, { ledger: { ...NOTHING_KEPT, session_burned: true } }),
  ],
  [
    'op_changed',
    'a higher amount under the same id',
    honestRequest(refund, existing(refund, 'reserved', { ...refund, amount: '1' })),
  ],
  [
    'op_changed',
    'another receiver under the same id',
    honestRequest(refund, existing(refund, 'released', { ...refund, to: attacker })),
  ],
  [
    'op_already_in_flight',
    'the same operation with a new blockhash',
    honestRequest(refund, existing(refund, 'share_out')),
  ],
  ['op_already_settled', 'what has happened', honestRequest(refund, existing(refund, 'settled'))],
  [
    'op_already_failed',
    'what has failed',
    honestRequest(refund, existing(refund, 'failed_on_chain')),
  ],
  ['credit_not_found', 'no credit', honestRequest(refund, { credit: null })],
  [
    'credit_not_found',
    'a credit that the node does not show',
    honestRequest(refund, credit({ found: false })),
  ],
  ['credit_failed', 'a credit that has failed', honestRequest(refund, credit({ failed: true }))],
  [
    'credit_source_ambiguous',
    'a credit of two',
    honestRequest(refund, credit({ sources: [refund.to, attacker] })),
  ],
  ['credit_source_ambiguous', 'a credit of no one', honestRequest(refund, credit({ sources: [] }))],
  [
    'credit_source_mismatch',
    'a credit of another',
    honestRequest({ ...refund, to: attacker }, credit({ sources: [refund.to] })),
  ],
  [
    'credit_not_payment',
    'what another operating wallet has paid: a settlement to the wallet that both share, or a refund to it',
    honestRequest(refund, { ledger: { ...NOTHING_KEPT, is_to_operating_wallet: true } }),
  ],
  [
    'credit_not_payment',
    'what the settlement wallet got for something, or moved itself',
    honestRequest(refund, credit({ credited: settlement_wallet, is_exchange: true })),
  ],
  [
    'credit_exceeded',
    'one unit more than the credit',
    honestRequest(refund, credit({ net_credit: 2_499_999n })),
  ],
  [
    'credit_exceeded',
    'one unit more than is left',
    honestRequest(refund, used(0, 10n ** 9n - 2_499_999n)),
  ],
  [
    'credit_exceeded',
    'a credit that took money',
    honestRequest(refund, credit({ net_credit: -1n })),
  ],
  [
    'destination_not_whitelisted',
    'a settlement for another',
    honestRequest({ ...settlement, to: attacker }),
  ],
  [
    'destination_not_whitelisted',
    'a settlement where the roster names no wallet',
    honestRequest(settlement, { roster: { ...roster, settlement_wallet: null } }),
  ],
  ['day_limit_exceeded', 'one cent more than a day', honestRequest(refund, used(999_751, 0n))],
  [
    'day_limit_exceeded',
    'more than a day at once',
    honestRequest({ ...settlement, amount: '10000000001' }),
  ],
  [
    'day_limit_exceeded',
    'SOL that is worth more than a day',
    honestRequest({ ...inSol(settlement), amount: '66666666667' }),
  ],
];

describe('refuses', () => {
  test.each(refused)('%s: %s', (code, _, request) => expect(codeOf(request)).toBe(code));

  test('says which rule was broken', () => {
    const { exp } = refund;
    expect(judge(honestRequest(refund, { now_ms: exp }))).toEqual({
      ...{ ok: false, code: 'op_expired', reason: 'This rule is broken: exp has not passed.' },
    });
  });

  test('what the other signer would say does not count: this one’s clock, freeze and ledger do', () => {
    const request = honestRequest(refund);
    expect(codeOf(request)).toBe('passes');
    expect(codeOf({ ...request, now_ms: NOW_MS + 60_000 })).toBe('op_expired');
    expect(codeOf({ ...request, rules: { ...rules, day_limit_cents: 249 } })).toBe(
      'day_limit_exceeded',
    );
    expect(wallet).toBe(request.op.wallet);
  });
});

describe('no guard says what another one says', () => {
  const guards = [...REQUEST_GUARDS, ...REFUND_GUARDS, ...SETTLEMENT_GUARDS, ...LIMIT_GUARDS];
  test.each(guards.map((one) => [one.rule, one] as const))(
    'without “%s” an attack passes',
    (_, one) => {
      const passes = ({ op, ...rest }: SigningRequest): boolean => {
        const of_type = op.type === 'refund' ? REFUND_GUARDS : SETTLEMENT_GUARDS;
        const others = [...REQUEST_GUARDS, ...of_type, ...LIMIT_GUARDS].filter(
          (other) => other !== one,
        );
        return others.every(({ holds }) => holds({ op, ...rest }));
      };
      const stopped = refused.filter(([code]) => code === one.code).map(([, , request]) => request);
      expect(stopped.some(passes)).toBe(true);
    },
  );
});
