import { IsIn, IsString } from 'class-validator';
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

/** A passkey of a merchant, with what is public of it. */
export class PasskeyFact {
  @IsString() merchant_id!: string;
  /** Id of the credential, base64url. */
  @IsString() passkey_id!: string;
  /** `login` opens sessions; `signing` allows what the signers do. */
  @IsIn(['login', 'signing']) kind!: 'login' | 'signing';
  /** COSE, base64url. */
  @IsString() public_key!: string;
  /** Who asked for the set-up link that has registered it; `session` also without a link. */
  @IsIn(['sign_up', 'session', 'key']) asked_by!: 'sign_up' | 'session' | 'key';
}

export const passkeyRegistered = fact('accounts.passkey-registered.v1', { data: PasskeyFact });

export const accountsFacts = [merchantRegistered, walletCreated, passkeyRegistered] as const;
