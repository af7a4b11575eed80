import {
  IsBoolean,
  IsIn,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  MinLength,
} from 'class-validator';
import { MODES, type Mode } from '@tender/kernel';
import { prefixedIds, uuidIds } from './object-ids';
import { route } from './route';
import {
  Describe,
  IsApiKey,
  IsBase58Address,
  IsEmailAddress,
  IsIdOf,
  IsName,
  OrNull,
} from './validation';

export const WALLET_METHODS = ['mpc_passkey', 'external'] as const;
export type WalletMethod = (typeof WALLET_METHODS)[number];

const NETWORKS = ['localnet', 'devnet', 'mainnet-beta'] as const;
const NOT_BLANK = /\S/;

export const keyIds = prefixedIds('key', 'second release');

export class CreateMerchantBody {
  @Describe('Business name, shown to payers.', 'Corner Shop')
  @IsName(200)
  name!: string;

  @Describe('Business e-mail; one merchant each.', 'owner@shop.example.com')
  @IsEmailAddress()
  email!: string;

  @Describe('Physical address.', '5 High Street, Leeds')
  @IsString()
  @MinLength(1)
  @MaxLength(500)
  @Matches(NOT_BLANK)
  business_address!: string;

  @Describe('Where to send events.', 'https://shop.example.com/webhooks')
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(2048)
  webhook_url?: string;

  @Describe('mpc_passkey unless told.')
  @IsOptional()
  @IsIn(WALLET_METHODS)
  wallet_generation_method?: WalletMethod;

  @Describe('The merchant’s own wallet; required with external, and only allowed there.')
  @IsOptional()
  @IsBase58Address()
  wallet_address?: string;
}

export class CreateMerchantAnswer {
  @IsIdOf(uuidIds) id!: string;
  @IsString() name!: string;
  @IsString() email!: string;
  /** A test key; shown here only. */
  @IsApiKey() api_key!: string;
  /** Where an `mpc_passkey` merchant registers a passkey; null with `external`. */
  @OrNull() @IsString() passkey_setup_url!: string | null;
  /** Null until the wallet exists. */
  @OrNull() @IsBase58Address() wallet_address!: string | null;
  @IsString() created_at!: string;
}

export class WalletAnswer {
  @OrNull() @IsBase58Address() wallet_address!: string | null;
  @IsIn(WALLET_METHODS) wallet_type!: WalletMethod;
  @IsIn(NETWORKS) network!: (typeof NETWORKS)[number];
  @IsIn(MODES) mode!: Mode;
  /** Whole tokens. */
  @IsNumber() sol_balance!: number;
  @IsNumber() usdc_balance!: number;
  @IsNumber() usdt_balance!: number;
  @IsBoolean() has_mpc_wallet!: boolean;
  @OrNull() @IsString() operating_wallet_address!: string | null;
}

export class ApiKeyAnswer {
  @IsIdOf(keyIds) id!: string;
  @IsIn(MODES) mode!: Mode;
  /** False after rotation. */
  @IsBoolean() is_active!: boolean;
  @IsString() created_at!: string;
  @OrNull() @IsString() last_used_at!: string | null;
}

export class CreateKeyBody {
  @IsIn(MODES) mode!: Mode;
}

export class CreateNamedKeyBody extends CreateKeyBody {
  @Describe('For people, to tell keys apart.', 'Till 2')
  @IsName(100)
  name!: string;
}

export class AdminCreateKeyBody extends CreateKeyBody {
  @Describe('Why; kept with the event, for the audit.', 'Contract signed on 3 May')
  @IsName(500)
  reason!: string;
}

export class CreateKeyAnswer {
  /** Shown here only. */
  @IsApiKey() key!: string;
  @IsIdOf(keyIds) id!: string;
  @IsIn(MODES) mode!: Mode;
  @IsString() created_at!: string;
}

export class CreateNamedKeyAnswer extends CreateKeyAnswer {
  @IsString() name!: string;
}

export class RotateKeyAnswer {
  @IsIdOf(keyIds) old_key_id!: string;
  @IsBoolean() old_key_deactivated!: boolean;
  /** Shown here only. */
  @IsApiKey() new_key!: string;
  @IsIdOf(keyIds) new_key_id!: string;
  @IsIn(MODES) mode!: Mode;
  @IsString() created_at!: string;
}

const keyed = { context: 'accounts', auth: 'key' } as const;

export const createMerchant = route({
  id: 'createMerchant',
  method: 'POST',
  path: '/api/v1/merchants',
  context: 'accounts',
  auth: 'public',
  limit: 'sign_up',
  idempotent: true,
  body: CreateMerchantBody,
  answers: { 201: CreateMerchantAnswer },
  refusals: ['merchant_exists'],
  summary: 'Sign up',
  tag: 'Merchants',
});

export const readWallet = route({
  ...keyed,
  id: 'readWallet',
  method: 'GET',
  path: '/api/v1/merchants/me/wallet',
  limit: 'read',
  idempotent: false,
  answers: { 200: WalletAnswer },
  refusals: ['service_unavailable'],
  summary: 'The merchant’s wallet and what is in it',
  tag: 'Merchants',
});

export const listKeys = route({
  ...keyed,
  id: 'listKeys',
  method: 'GET',
  path: '/api/v1/keys',
  limit: 'read',
  idempotent: false,
  answers: { 200: [ApiKeyAnswer] },
  refusals: [],
  summary: 'All keys of the caller’s mode, newest first',
  tag: 'API keys',
});

export const createKey = route({
  ...keyed,
  id: 'createKey',
  method: 'POST',
  path: '/api/v1/keys',
  limit: 'other',
  idempotent: true,
  body: CreateKeyBody,
  answers: { 201: CreateKeyAnswer },
  refusals: ['forbidden'],
  summary: 'Mint a key; a live one only with a live key',
  tag: 'API keys',
});

export const createNamedKey = route({
  ...keyed,
  id: 'createNamedKey',
  method: 'POST',
  path: '/api/v1/api-keys',
  limit: 'other',
  idempotent: true,
  body: CreateNamedKeyBody,
  answers: { 201: CreateNamedKeyAnswer },
  refusals: ['forbidden'],
  summary: 'Mint a key with a name',
  tag: 'API keys',
});

export const rotateKey = route({
  ...keyed,
  id: 'rotateKey',
  method: 'POST',
  path: '/api/v1/keys/{id}/rotate',
  objects: { id: keyIds },
  limit: 'other',
  idempotent: true,
  answers: { 200: RotateKeyAnswer },
  refusals: ['not_found', 'key_already_rotated'],
  summary: 'Put a new key in the place of one; the old one stops working at once',
  tag: 'API keys',
});

export const adminCreateKey = route({
  id: 'adminCreateKey',
  method: 'POST',
  path: '/admin/merchants/{id}/keys',
  context: 'accounts',
  auth: 'admin',
  limit: 'none',
  idempotent: true,
  body: AdminCreateKeyBody,
  answers: { 201: CreateKeyAnswer },
  refusals: ['not_found'],
  summary: 'Mint a key for a merchant, the first live one for example',
  tag: 'Admin',
});

export const accountsRoutes = [
  createMerchant,
  readWallet,
  listKeys,
  createKey,
  createNamedKey,
  rotateKey,
  adminCreateKey,
] as const;
