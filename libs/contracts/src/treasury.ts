import { Equals, IsArray, IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import { passkeyChallengeRoutes } from './passkey-challenges';
import { route } from './route';
import { RUNNING_SIGNERS, type RunningSigner } from './treasury.facts';
import { Describe, IsBase58Address, IsReason } from './validation';

/** The settings that name the key files of sponsors: treasury reads them, what starts it on local chains sets them. */
export const SPONSOR_KEY_FILES = {
  test: 'SPONSOR_KEY_FILE_TEST',
  live: 'SPONSOR_KEY_FILE_LIVE',
} as const;

/** The settings that name the key files of the wallets that pay for outgoing transfers. */
export const PAYOUT_FEE_KEY_FILES = {
  test: 'PAYOUT_FEE_KEY_FILE_TEST',
  live: 'PAYOUT_FEE_KEY_FILE_LIVE',
} as const;

/** All of them, by what the wallets pay for. */
export const FEE_KEY_FILES = {
  sponsor: SPONSOR_KEY_FILES,
  'payout-fee': PAYOUT_FEE_KEY_FILES,
} as const;

export class SwitchSponsorBody {
  @Describe('Whether the fees of gasless payments are paid from now on, in both modes.', false)
  @IsBoolean()
  enabled!: boolean;

  @IsReason() reason!: string;
}

export class SwitchSponsorAnswer {
  @IsBoolean() enabled!: boolean;
  @IsString() reason!: string;
}

export const switchSponsor = route({
  id: 'switchSponsor',
  method: 'POST',
  path: '/admin/sponsor',
  context: 'treasury',
  auth: 'admin',
  limit: 'none',
  idempotent: false,
  body: SwitchSponsorBody,
  answers: { 200: SwitchSponsorAnswer },
  refusals: [],
  summary: 'Stop the sponsor of fees, or start it again',
  tag: 'Admin',
});

export class FreezeOperatingWalletBody {
  @IsOptional() @IsReason() reason?: string;
}

export class FreezeOperatingWalletAnswer {
  @IsBase58Address() operating_wallet_address!: string;
  @IsBoolean() @Equals(true) frozen!: true;
  @Describe('Which signers have confirmed it; one is enough, because what leaves the wallet needs both.')
  @IsArray()
  @IsIn(RUNNING_SIGNERS, { each: true })
  frozen_by_signers!: RunningSigner[];
}

export const freezeOperatingWallet = route({
  id: 'freezeOperatingWallet',
  method: 'POST',
  path: '/api/v1/merchants/me/operating-wallet/freeze',
  context: 'treasury',
  auth: 'key',
  limit: 'other',
  idempotent: true,
  body: FreezeOperatingWalletBody,
  answers: { 200: FreezeOperatingWalletAnswer },
  refusals: ['wallet_not_ready', 'service_unavailable'],
  summary: 'Stop the operating wallet: nothing leaves it any more',
  tag: 'Merchants',
});

export const treasuryRoutes = [
  ...[switchSponsor, freezeOperatingWallet],
  ...passkeyChallengeRoutes,
] as const;
