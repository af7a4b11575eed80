import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBase64,
  IsObject,
  IsString,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { IsPasskeyId, SETUP_REFUSALS } from './passkeys';
import { route } from './route';
import { Describe, IsBase58Address, OrNull } from './validation';

const SESSION = /^[A-Za-z0-9_-]{8,80}$/;
const SEALED_CHARACTERS_MAX = 2_000;

const IsSession = (): PropertyDecorator => (prototype, field) => {
  Describe('Of the ceremony.', 'passkey-0123456789abcdef0123456789abcdef')(prototype, field);
  Matches(SESSION)(prototype, field);
};

/** A message of signer A, or of C or R, which the merchant’s browser holds: only what its own key has signed counts. */
export class SignedCeremonyMessage {
  @Describe('What is signed: canonical JSON (docs/custody.md).') @IsObject() message!: object;
  @Describe('Ed25519 of the sender’s identity key, base64.') @IsBase64() @MaxLength(88) signature!: string;
}

export class MerchantIdentityKeys {
  @Describe('Ed25519, base58: made by the browser for this ceremony.', '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5')
  @IsBase58Address()
  C!: string;
  @Describe('As that of C.', '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin') @IsBase58Address() R!: string;
}

export class MerchantRosterSignatures {
  @Describe('Ed25519 of party C over the roster, base64.') @IsBase64() @MaxLength(88) C!: string;
  @IsBase64() @MaxLength(88) R!: string;
}

export class BeginPasskeyWalletBody {
  @ValidateNested() @Type(() => MerchantIdentityKeys) identity_keys!: MerchantIdentityKeys;
}

export class BeginPasskeyWalletAnswer {
  @Describe('Of this ceremony; a newer one ends it.') @IsString() session!: string;
  @Describe('What all parties agree on before they begin.') @IsObject() plan!: object;
  @ValidateNested() @Type(() => SignedCeremonyMessage) round1!: SignedCeremonyMessage;
}

const EXAMPLE: SignedCeremonyMessage = { message: {}, signature: 'c2lnbmF0dXJl' };

class OfSession {
  @IsSession() session!: string;
}

const OfTwo = (description: string): PropertyDecorator => (prototype, field) => {
  for (const decorate of [
    Describe(description, [EXAMPLE, EXAMPLE]),
    ...[IsArray(), ArrayMinSize(2), ArrayMaxSize(2), ValidateNested({ each: true })],
    Type(() => SignedCeremonyMessage),
  ]) {
    decorate(prototype, field);
  }
};

export class PasskeyWalletRound2Body extends OfSession {
  @OfTwo('Of C and R, to all.') round1!: SignedCeremonyMessage[];
}

export class PasskeyWalletRound2Answer {
  @OfTwo('Of A to C, and to R; each can be opened by its receiver alone.')
  messages!: SignedCeremonyMessage[];
}

export class PasskeyWalletRound3Body extends OfSession {
  @OfTwo('Of C and R, to A; it alone can open them.') round2!: SignedCeremonyMessage[];
}

export class PasskeyWalletRound3Answer {
  @ValidateNested() @Type(() => SignedCeremonyMessage) round3!: SignedCeremonyMessage;
}

export class FinishPasskeyWalletBody extends OfSession {
  @OfTwo('Of C and R, to all.') round3!: SignedCeremonyMessage[];
}

export class FinishPasskeyWalletAnswer {
  @Describe('Who holds which share of the new wallet (docs/custody.md).') @IsObject() roster!: object;
  @Describe('Of A over the roster, base64.') @IsString() roster_signature!: string;
}

const SEALED = 'Share C, sealed by what the passkey answers in the browser; Tender cannot open it.';

export class ConfirmPasskeyWalletBody extends OfSession {
  @Describe('As all three have signed it.') @IsObject() roster!: object;
  @ValidateNested() @Type(() => MerchantRosterSignatures) signatures!: MerchantRosterSignatures;
  @Describe('A signing passkey of the merchant.') @IsPasskeyId() passkey_id!: string;
  @Describe(`${SEALED} Null where the browser has none of that: C is in the recovery file alone.`)
  @OrNull()
  @IsBase64()
  @MaxLength(SEALED_CHARACTERS_MAX)
  sealed_share_c!: string | null;
}

export class ConfirmPasskeyWalletAnswer {
  @IsBase58Address() wallet_address!: string;
}

export class SealedShareAnswer {
  @IsString() passkey_id!: string;
  @Describe(SEALED) @IsBase64() sealed_share_c!: string;
  @Describe('Of the wallet, as all three have signed it.') @IsObject() wallet_roster!: object;
}

export class AddSealedShareBody {
  @Describe('A signing passkey of the merchant.') @IsPasskeyId() passkey_id!: string;
  @Describe(SEALED) @IsBase64() @MaxLength(SEALED_CHARACTERS_MAX) sealed_share_c!: string;
}

export class AddSealedShareAnswer {
  @IsString() passkey_id!: string;
}

const setUp = {
  context: 'accounts',
  auth: 'setup',
  approval: true,
  idempotent: false,
  tag: 'Passkey wallets',
} as const;
const step = { ...setUp, method: 'POST', limit: 'other' } as const;
const LINK = SETUP_REFUSALS;
const CEREMONY = [...LINK, 'wallet_exists', 'ceremony_unknown', 'ceremony_failed', 'service_unavailable'] as const;

export const beginPasskeyWallet = route({
  ...step,
  id: 'beginPasskeyWallet',
  path: '/api/v1/passkey-wallet/begin',
  body: BeginPasskeyWalletBody,
  answers: { 200: BeginPasskeyWalletAnswer },
  refusals: [...LINK, 'wallet_exists', 'ceremony_failed', 'service_unavailable'],
  summary: 'Begin the ceremony that makes a passkey wallet: the merchant’s browser holds two of three shares',
});

export const round2OfPasskeyWallet = route({
  ...step,
  id: 'round2OfPasskeyWallet',
  path: '/api/v1/passkey-wallet/round-2',
  body: PasskeyWalletRound2Body,
  answers: { 200: PasskeyWalletRound2Answer },
  refusals: CEREMONY,
  summary: 'Carry round 1 of the merchant’s parties to signer A',
});

export const round3OfPasskeyWallet = route({
  ...step,
  id: 'round3OfPasskeyWallet',
  path: '/api/v1/passkey-wallet/round-3',
  body: PasskeyWalletRound3Body,
  answers: { 200: PasskeyWalletRound3Answer },
  refusals: CEREMONY,
  summary: 'Carry round 2 of the merchant’s parties to signer A',
});

export const finishPasskeyWallet = route({
  ...step,
  id: 'finishPasskeyWallet',
  path: '/api/v1/passkey-wallet/finish',
  body: FinishPasskeyWalletBody,
  answers: { 200: FinishPasskeyWalletAnswer },
  refusals: CEREMONY,
  summary: 'Carry round 3 of the merchant’s parties to signer A, which keeps its share and signs the roster',
});

export const confirmPasskeyWallet = route({
  ...step,
  id: 'confirmPasskeyWallet',
  path: '/api/v1/passkey-wallet/confirm',
  body: ConfirmPasskeyWalletBody,
  answers: { 201: ConfirmPasskeyWalletAnswer },
  refusals: [...LINK, 'wallet_exists', 'ceremony_unknown', 'ceremony_failed', 'passkey_unknown_credential'],
  summary: 'Say that the merchant has kept its shares: only now it has a wallet',
});

export const readSealedShare = route({
  ...setUp,
  id: 'readSealedShare',
  method: 'GET',
  path: '/api/v1/passkey-wallet/shares/{passkey_id}',
  passkeys: ['passkey_id'],
  limit: 'read',
  answers: { 200: SealedShareAnswer },
  refusals: [...LINK, 'not_found'],
  summary: 'Share C as one passkey of the merchant has sealed it',
});

export const addSealedShare = route({
  ...step,
  id: 'addSealedShare',
  path: '/api/v1/passkey-wallet/shares',
  body: AddSealedShareBody,
  answers: { 201: AddSealedShareAnswer },
  refusals: [...LINK, 'wallet_not_ready', 'share_exists', 'passkey_unknown_credential'],
  summary: 'Keep share C for one more passkey',
});

export const passkeyWalletRoutes = [
  ...[beginPasskeyWallet, round2OfPasskeyWallet, round3OfPasskeyWallet, finishPasskeyWallet],
  ...[confirmPasskeyWallet, readSealedShare, addSealedShare],
] as const;
