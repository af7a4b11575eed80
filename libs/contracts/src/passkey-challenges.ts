import { Type } from 'class-transformer';
import { Equals, IsIn, IsNumber, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { route } from './route';
import { Describe, IsBase58Address, IsTime, IsUsdAmount } from './validation';

/** What a signing passkey can allow. */
export const PASSKEY_OPERATIONS = ['unfreeze_operating_wallet', 'set_operating_wallet_limits'] as const;
export type PasskeyOperationType = (typeof PASSKEY_OPERATIONS)[number];

export class PasskeyOperation {
  @Describe('What the passkey allows.', 'set_operating_wallet_limits')
  @IsIn(PASSKEY_OPERATIONS)
  type!: PasskeyOperationType;
  @Describe('Of `set_operating_wallet_limits`: what may leave the wallet in 24 hours.', 25_000)
  @IsOptional()
  @IsUsdAmount()
  per_day_usd?: number;
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
  refusals: ['wallet_not_ready', 'wallet_not_frozen'],
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

export const passkeyChallengeRoutes = [
  createPasskeyChallenge,
  unfreezeOperatingWallet,
  limitOperatingWallet,
] as const;
