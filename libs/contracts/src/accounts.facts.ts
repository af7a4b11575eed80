import { IsString } from 'class-validator';
import { fact } from './fact';
import { IsTime, OrNull } from './validation';

/** What other contexts hear of a merchant. */
export class MerchantFact {
  @IsString() merchant_id!: string;
  /** Null until the wallet exists. */
  @OrNull() @IsString() wallet_address!: string | null;
  /** As given at sign-up. */
  @OrNull() @IsString() webhook_url!: string | null;
  @IsTime() created_at!: string;
}

export const merchantRegistered = fact('accounts.merchant-registered.v1', { data: MerchantFact });
export const walletCreated = fact('accounts.wallet-created.v1', { data: MerchantFact });

export const accountsFacts = [merchantRegistered, walletCreated] as const;
