import { Type } from 'class-transformer';
import { Equals, IsBoolean, IsIn, IsNumber, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { IsPasskeyId } from './passkeys';
import { route } from './route';
import { Describe, IsBase58Address, IsTime, IsUsdAmount } from './validation';

/** What a signing passkey can allow. */
export const PASSKEY_OPERATIONS = [
  ...(['unfreeze_operating_wallet', 'set_operating_wallet_limits'] as const),
  ...(['pin_passkey', 'unpin_passkey'] as const),
] as const;
export type PasskeyOperationType = (typeof PASSKEY_OPERATIONS)[number];

export class PasskeyOperation {
  @Describe('What the passkey allows.', 'set_operating_wallet_limits')
  @IsIn(PASSKEY_OPERATIONS)
  type!: PasskeyOperationType;
  @Describe('Of `set_operating_wallet_limits`: what may leave the wallet in 24 hours.', 25_000)
  @IsOptional()
  @IsUsdAmount()
  per_day_usd?: number;
  @Describe('Of `pin_passkey` and `unpin_passkey`: the signing passkey.')
  @IsOptional()
  @IsPasskeyId()
  passkey_id?: string;
}

export class CreatePasskeyChallengeBody {
  @ValidateNested() @Type(() => PasskeyOperation) operation!: PasskeyOperation;
}

export class PasskeyChallenge {
  @IsString() challenge_id!: string;
  @Describe('Base64url: what the passkey signs, on the approval page. It allows exactly this operation, once.')
  @IsString()
  challenge!: string;
  @Describe('Two minutes later, by the clock of the wall.')
  @IsTime()
  expires_at!: string;
  @Describe(
    'Open it in a browser that has the passkey: it says what will be allowed, asks for the passkey, and shows the ' +
      '`passkey_signature`. Opened by a page of this API (`window.open`), it posts that to it as a message: ' +
      '`{type: "tender.passkey-signature", challenge, passkey_signature}`; answer ' +
      '`{type: "tender.passkey-signature-taken", challenge}`.',
    'https://approve.example.com/approve#eyJvcGVyYXRpb24iOnsidHlwZSI6InVuZnJlZXplX29wZXJhdGluZ193YWxsZXQifX0',
  )
  @IsString()
  approval_url!: string;
}

export const createPasskeyChallenge = route({
  id: 'createPasskeyChallenge',
  method: 'POST',
  path: '/api/v1/passkey-challenges',
  context: 'treasury',
  auth: 'key',
  limit: 'other',
  idempotent: false,
  body: CreatePasskeyChallengeBody,
  answers: { 201: PasskeyChallenge },
  refusals: ['wallet_not_ready', 'wallet_not_frozen', 'not_found', 'service_unavailable'],
  summary: 'Ask for what a passkey has to sign to allow an operation',
  tag: 'Merchants',
});

/** A proof by a signing passkey, as browsers make it (specification §2.5). */
const IsPasskeySignature = (): PropertyDecorator => (prototype, field) => {
  Describe(
    'The assertion of a passkey over the challenge of this operation: `credential_id` in base64url, and ' +
      '`authenticator_data`, `client_data_json` and `signature`, each as integers from 0 to 255, base64 or base64url.',
  )(prototype, field);
  IsObject()(prototype, field);
};

export class UnfreezeOperatingWalletBody {
  @IsPasskeySignature() passkey_signature!: object;
}

export class UnfreezeOperatingWalletAnswer {
  @IsBase58Address() operating_wallet_address!: string;
  @Equals(false) frozen!: false;
}

const PROOF_REFUSALS = [
  ...(['passkey_signature_malformed', 'passkey_required', 'passkey_invalid'] as const),
  ...(['passkey_unknown_credential', 'passkey_operation_mismatch'] as const),
  ...(['passkey_challenge_expired', 'user_verification_required'] as const),
  ...(['passkey_challenge_consumed', 'service_unavailable'] as const),
] as const;

export const unfreezeOperatingWallet = route({
  id: 'unfreezeOperatingWallet',
  method: 'POST',
  path: '/api/v1/merchants/me/operating-wallet/unfreeze',
  context: 'treasury',
  auth: 'key',
  limit: 'other',
  idempotent: true,
  body: UnfreezeOperatingWalletBody,
  answers: { 200: UnfreezeOperatingWalletAnswer },
  refusals: ['wallet_not_ready', 'wallet_not_frozen', ...PROOF_REFUSALS],
  summary: 'Let the operating wallet go on, by a passkey',
  tag: 'Merchants',
});

export class LimitOperatingWalletBody {
  @Describe('What may leave the wallet in 24 hours.', 25_000) @IsUsdAmount() per_day_usd!: number;
  @IsPasskeySignature() passkey_signature!: object;
}

export class LimitOperatingWalletAnswer {
  @IsBase58Address() operating_wallet_address!: string;
  @IsNumber() per_day_usd!: number;
}

export const limitOperatingWallet = route({
  id: 'limitOperatingWallet',
  method: 'PUT',
  path: '/api/v1/merchants/me/operating-wallet/limits',
  context: 'treasury',
  auth: 'key',
  limit: 'other',
  idempotent: true,
  body: LimitOperatingWalletBody,
  answers: { 200: LimitOperatingWalletAnswer },
  refusals: ['wallet_not_ready', ...PROOF_REFUSALS],
  summary: 'Set what may leave the operating wallet in a day, by a passkey',
  tag: 'Merchants',
});

export class PinPasskeyBody {
  @IsPasskeySignature() passkey_signature!: object;
}

export class PinnedPasskey {
  @Describe('Id of the credential, base64url.', 'SGVsbG8tcGFzc2tleQ') @IsPasskeyId() id!: string;
  @Describe('Whether it can allow operations: both signers know it.') @IsBoolean() pinned!: boolean;
}

export const pinPasskey = route({
  id: 'pinPasskey',
  method: 'POST',
  path: '/api/v1/merchants/me/passkeys/{id}/pin',
  passkeys: ['id'],
  context: 'treasury',
  auth: 'key',
  limit: 'other',
  idempotent: false,
  body: PinPasskeyBody,
  answers: { 200: PinnedPasskey },
  refusals: ['not_found', 'passkey_exists', 'too_many_passkeys', ...PROOF_REFUSALS],
  summary: 'Let one more signing passkey allow operations, by a passkey that can',
  tag: 'Passkeys',
});

export const unpinPasskey = route({
  id: 'unpinPasskey',
  method: 'POST',
  path: '/api/v1/merchants/me/passkeys/{id}/unpin',
  passkeys: ['id'],
  context: 'treasury',
  auth: 'key',
  limit: 'other',
  idempotent: false,
  body: PinPasskeyBody,
  answers: { 200: PinnedPasskey },
  refusals: ['passkey_last', ...PROOF_REFUSALS],
  summary: 'Let a signing passkey allow nothing any more, by a passkey that can',
  tag: 'Passkeys',
});

export const passkeyChallengeRoutes = [
  createPasskeyChallenge,
  unfreezeOperatingWallet,
  limitOperatingWallet,
  pinPasskey,
  unpinPasskey,
] as const;
