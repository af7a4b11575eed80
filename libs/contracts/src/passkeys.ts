import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  ValidateNested,
} from 'class-validator';
import { WALLET_METHODS, type WalletMethod } from './merchants';
import { uuidIds } from './object-ids';
import { route } from './route';
import { SessionAnswer } from './sessions';
import {
  all,
  Describe,
  IsBase58Address,
  IsEmailAddress,
  IsIdOf,
  IsName,
  IsTime,
  OrNull,
} from './validation';

/** `login` opens sessions of the dashboard; `signing` is used on the approval page only. */
export const PASSKEY_KINDS = ['login', 'signing'] as const;
export type PasskeyKind = (typeof PASSKEY_KINDS)[number];

/** So long may the id of a credential be: it is part of a path. 75 bytes. */
export const PASSKEY_ID_CHARACTERS_MAX = 100;
export const PASSKEY_ID_PATTERN = `^[\\w-]{1,${PASSKEY_ID_CHARACTERS_MAX}}$`;
const PASSKEY_NAME_CHARACTERS_MAX = 100;

export const IsPasskeyId = (): PropertyDecorator =>
  all(IsString(), Matches(new RegExp(PASSKEY_ID_PATTERN)));

export class PasskeyAnswer {
  @Describe('Id of the credential, base64url.', 'SGVsbG8tcGFzc2tleQ') @IsPasskeyId() id!: string;
  @Describe('`login` signs in; `signing` is for the approval page.')
  @IsIn(PASSKEY_KINDS)
  kind!: PasskeyKind;
  @IsString() name!: string;
  @IsTime() created_at!: string;
}

export class ListedPasskey extends PasskeyAnswer {
  @Describe('When it last signed in; null before, and of a `signing` one.')
  @OrNull()
  @IsTime()
  last_used_at!: string | null;
}

export class RemovedPasskey {
  @IsBoolean() removed!: true;
}

export class StartRegistrationBody {
  @Describe('Of the merchant that asks.') @IsUUID() merchant_id!: string;
  @Describe('The merchant’s own.', 'owner@shop.example.com') @IsEmailAddress() email!: string;
  @Describe('What the authenticator shows beside the e-mail.', 'Corner Shop')
  @IsName(200)
  display_name!: string;
}

export class RegistrationToFinish {
  @IsIdOf(uuidIds) challenge_id!: string;
  @Describe('For `navigator.credentials.create`, with binary fields in base64url.')
  @IsObject()
  options!: object;
}

export class FinishRegistrationBody {
  @IsUUID() challenge_id!: string;
  @Describe('What the browser has made of the options: a PublicKeyCredential as JSON.')
  @IsObject()
  credential!: object;
  @Describe('For people, to tell passkeys apart.', 'Laptop in the office')
  @IsOptional()
  @IsName(PASSKEY_NAME_CHARACTERS_MAX)
  name?: string;
}

export class StartLoginBody {
  @IsEmailAddress() email!: string;
}

export class LoginToVerify {
  @IsIdOf(uuidIds) session_id!: string;
  @Describe('32 random bytes, base64url; also in the options.') @IsString() challenge!: string;
  @Describe('For `navigator.credentials.get`, with binary fields in base64url.')
  @IsObject()
  webauthn_options!: object;
}

export class VerifyLoginBody {
  @Describe('Of `POST /merchants/login/start`.') @IsUUID() session_id!: string;
  @Describe('What the browser has made of the options: a PublicKeyCredential as JSON.')
  @IsObject()
  credential_response!: object;
}

export class IssuedSetup {
  @Describe('Works once, on the approval page; an earlier link works no more.')
  @IsString()
  passkey_setup_url!: string;
  @IsTime() expires_at!: string;
}

/** A signing passkey, as the set-up page lists it. */
export class SetupPasskey {
  @IsPasskeyId() id!: string;
  @IsString() name!: string;
}

export class SetupAnswer {
  @IsIdOf(uuidIds) merchant_id!: string;
  @IsString() merchant_name!: string;
  @IsString() email!: string;
  @IsIn(WALLET_METHODS) wallet_type!: WalletMethod;
  @OrNull() @IsBase58Address() wallet_address!: string | null;
  @Describe('Of the link; null for a session, which has none.')
  @OrNull()
  @IsTime()
  expires_at!: string | null;
  @Describe('Signing passkeys, oldest first.')
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SetupPasskey)
  passkeys!: SetupPasskey[];
}

const base = { context: 'accounts', tag: 'Passkeys', idempotent: false } as const;
/** Of routes that a set-up link opens. */
export const SETUP_REFUSALS = [
  'passkey_setup_by_key',
  'passkey_setup_used',
  'passkey_setup_expired',
] as const;
const OWN_PASSKEYS = '/api/v1/merchants/me/passkeys';

export const startRegistration = route({
  ...base,
  id: 'startPasskeyRegistration',
  approval: true,
  method: 'POST',
  path: '/api/v1/webauthn/register/start',
  auth: 'setup',
  limit: 'other',
  body: StartRegistrationBody,
  answers: { 200: RegistrationToFinish },
  refusals: ['not_found', 'too_many_passkeys', ...SETUP_REFUSALS],
  summary: 'Begin to register a passkey: for signing in with a session, for signing with a set-up link',
});

export const finishRegistration = route({
  ...base,
  id: 'finishPasskeyRegistration',
  approval: true,
  method: 'POST',
  path: '/api/v1/webauthn/register/finish',
  auth: 'setup',
  limit: 'other',
  body: FinishRegistrationBody,
  answers: { 201: PasskeyAnswer },
  refusals: [
    'passkey_refused',
    'passkey_exists',
    'too_many_passkeys',
    ...SETUP_REFUSALS,
  ],
  summary: 'Register the passkey that the browser has made',
});

export const startLogin = route({
  ...base,
  id: 'startLogin',
  method: 'POST',
  path: '/api/v1/merchants/login/start',
  auth: 'public',
  limit: 'login',
  body: StartLoginBody,
  answers: { 200: LoginToVerify },
  refusals: [],
  summary: 'Begin to sign in by passkey; the same answer whether or not the e-mail is known',
  tag: 'Sessions',
});

export const verifyLogin = route({
  ...base,
  id: 'verifyLogin',
  method: 'POST',
  path: '/api/v1/merchants/login/verify',
  auth: 'public',
  limit: 'login',
  body: VerifyLoginBody,
  answers: { 200: SessionAnswer },
  refusals: ['authentication_failed'],
  summary: 'Sign in by passkey; the session comes as a cookie',
  tag: 'Sessions',
});

export const listPasskeys = route({
  ...base,
  id: 'listPasskeys',
  method: 'GET',
  path: OWN_PASSKEYS,
  auth: 'session',
  limit: 'read',
  answers: { 200: [ListedPasskey] },
  refusals: [],
  summary: 'The merchant’s passkeys, newest first',
});

export const removePasskey = route({
  ...base,
  id: 'removePasskey',
  method: 'DELETE',
  path: `${OWN_PASSKEYS}/{id}`,
  passkeys: ['id'],
  auth: 'session',
  limit: 'other',
  answers: { 200: RemovedPasskey },
  refusals: ['not_found'],
  summary: 'Remove a passkey; the sessions that it has opened end',
});

export const issueSetup = route({
  ...base,
  id: 'issuePasskeySetup',
  method: 'POST',
  path: '/api/v1/merchants/me/passkey-setup',
  auth: 'key',
  limit: 'other',
  idempotent: true,
  answers: { 201: IssuedSetup },
  refusals: ['forbidden'],
  summary:
    'Make a link to set up a wallet or a signing passkey, for 30 minutes; that of a key adds a passkey to others alone',
});

export const readSetup = route({
  ...base,
  id: 'readPasskeySetup',
  approval: true,
  method: 'GET',
  path: '/api/v1/passkey-setup',
  auth: 'setup',
  limit: 'read',
  answers: { 200: SetupAnswer },
  refusals: SETUP_REFUSALS,
  summary: 'What a set-up link is for',
});

export const passkeyRoutes = [
  startRegistration,
  finishRegistration,
  startLogin,
  verifyLogin,
  listPasskeys,
  removePasskey,
  issueSetup,
  readSetup,
] as const;
