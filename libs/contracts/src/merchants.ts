import {
  IsBoolean,
  IsIn,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  MinLength,
} from 'class-validator';
import { MODES, type Mode } from '@tender/kernel';
import { uuidIds } from './object-ids';
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

export const CUSTODY_MODELS = ['self', 'shared', 'operator'] as const;
export type CustodyModel = (typeof CUSTODY_MODELS)[number];

const NETWORKS = ['localnet', 'devnet', 'mainnet-beta'] as const;
const NOT_BLANK = /\S/;

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

  @Describe('Shown to payers; the business e-mail unless told.', 'help@shop.example.com')
  @IsOptional()
  @IsEmailAddress()
  support_email?: string;

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
  /** Shown to payers. */
  @IsString() support_email!: string;
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
  @Describe('What was held, split or ramped is paid into it. Null until its signers have made it: ask again.')
  @OrNull()
  @IsBase58Address()
  operating_wallet_address!: string | null;
  @Describe('Computed from the roster. `shared`: Tender’s two signers can move it together.')
  @OrNull()
  @IsIn(CUSTODY_MODELS)
  operating_wallet_custody_model!: CustodyModel | null;
  @Describe('Nothing leaves it until a passkey of the merchant has unfrozen it. Null where there is no operating wallet yet.')
  @OrNull()
  @IsBoolean()
  operating_wallet_frozen!: boolean | null;
  @Describe(
    'USD that may leave it in 24 hours, as a passkey of the merchant has set it. Null until one has: then it is what the signers are set to, 10,000 unless their operator says otherwise.',
  )
  @OrNull()
  @IsNumber()
  operating_wallet_per_day_usd!: number | null;
  @Describe(
    'Of the wallet of `wallet_address`, computed from its roster; null of one that the merchant has brought. `self`: its merchant alone can move the money, and Tender cannot.',
  )
  @OrNull()
  @IsIn(CUSTODY_MODELS)
  custody_model!: CustodyModel | null;
  @Describe(
    'Who holds which share of the operating wallet, signed by each: docs/custody.md says how to verify it by yourself.',
  )
  @OrNull()
  @IsObject()
  roster!: object | null;
  @Describe('The same of the wallet of `wallet_address`; null of one that the merchant has brought.')
  @OrNull()
  @IsObject()
  wallet_roster!: object | null;
}

/** What a merchant may change of itself; what is left out stays. */
export class UpdateMerchantBody {
  @Describe('Business name, shown to payers.', 'Corner Shop')
  @IsOptional()
  @IsName(200)
  name?: string;

  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(500)
  @Matches(NOT_BLANK)
  business_address?: string;

  @Describe('Shown to payers.', 'help@shop.example.com')
  @IsOptional()
  @IsEmailAddress()
  support_email?: string;
}

export class MerchantAnswer {
  @IsIdOf(uuidIds) id!: string;
  @IsString() name!: string;
  @IsString() email!: string;
  @IsString() business_address!: string;
  @IsString() support_email!: string;
  @OrNull() @IsBase58Address() wallet_address!: string | null;
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

export const updateMerchant = route({
  ...keyed,
  id: 'updateMerchant',
  method: 'PATCH',
  path: '/api/v1/merchants/me',
  limit: 'other',
  idempotent: true,
  body: UpdateMerchantBody,
  answers: { 200: MerchantAnswer },
  refusals: [],
  summary: 'Change the merchant’s name, address or support e-mail',
  tag: 'Merchants',
});

export const merchantRoutes = [createMerchant, readWallet, updateMerchant] as const;
