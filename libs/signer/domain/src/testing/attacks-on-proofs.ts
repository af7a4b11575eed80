import { base64url, type ProvenOperation, type SignerCode } from '@tender/threshold';
import { SoftPasskey, type ProofChanges } from './soft-passkey';

/** What an attacker makes of an honest proof, and what a signer has to say to it. */
export interface ProofAttack {
  readonly code: SignerCode;
  readonly name: string;
  /** By the merchant’s own passkey, so that nothing else is wrong. */
  readonly changes: (now_ms: number) => ProofChanges;
}

type Row = readonly [SignerCode, string, ProofChanges | ((now_ms: number) => ProofChanges)];

const ROWS: readonly Row[] = [
  ['passkey_invalid', 'made on another origin', { client: { origin: 'http://localhost:8080' } }],
  ['passkey_invalid', 'made on the origin of a phisher', { client: { origin: 'https://approve.example.org' } }],
  ['passkey_invalid', 'made by the passkey for another host', { rp_id: 'example.org' }],
  ['passkey_invalid', 'of a registration', { client: { type: 'webauthn.create' } }],
  ['passkey_invalid', 'made in a frame of another page', { client: { crossOrigin: true } }],
  ['passkey_invalid', 'made in a frame that is named alone', { client: { topOrigin: 'https://evil.example' } }],
  ['passkey_invalid', 'made without a person', { flags: 0b100 }],
  ['user_verification_required', 'made without user verification', { flags: 0b001 }],
  ['passkey_operation_mismatch', 'of another digest', { digest: 'ab'.repeat(32) }],
  ['passkey_operation_mismatch', 'of a challenge of another form', { client: { challenge: base64url(Buffer.alloc(32)) } }],
  ['passkey_operation_mismatch', 'of no challenge', { client: { challenge: 7 } }],
  ['passkey_challenge_expired', 'that has expired', (now_ms) => ({ expires_ms: now_ms })],
  ['passkey_challenge_expired', 'that lasts', (now_ms) => ({ expires_ms: now_ms + 3_600_000 })],
];

/** What the passkey of the merchant is made to sign, or what a hacked page has it sign. */
export const attacksOnProofs: readonly ProofAttack[] = ROWS.map(([code, name, changes]) => ({
  ...{ code, name },
  changes: typeof changes === 'function' ? changes : () => changes,
}));

/** What else a proof may have been made for, where it is brought for `meant`. */
export function otherOperations(meant: ProvenOperation): readonly ProvenOperation[] {
  const { merchant_id } = meant;
  const other = new SoftPasskey();
  const pinning = {
    ...{ type: 'pin_passkey', merchant_id } as const,
    ...{ credential_id: other.credential_id, public_key: other.public_key },
  };
  if (!('wallet' in meant)) return [{ ...meant, merchant_id: 'merchant-2' }];
  const { mode, wallet } = meant;
  const of_wallet = { merchant_id, mode, wallet };
  return [
    { ...meant, mode: mode === 'test' ? 'live' : 'test' },
    { ...meant, wallet: '11111111111111111111111111111111' },
    { ...meant, merchant_id: 'merchant-2' },
    pinning,
    meant.type === 'unfreeze_operating_wallet'
      ? { type: 'set_operating_wallet_limits', ...of_wallet, per_day_cents: 1 }
      : { type: 'unfreeze_operating_wallet', ...of_wallet },
    ...(meant.type === 'set_operating_wallet_limits'
      ? [{ ...meant, per_day_cents: meant.per_day_cents + 1 }]
      : []),
  ];
}
