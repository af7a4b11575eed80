import { Module } from '@nestjs/common';
import { AdminCreateKeyHttp } from './create-key/admin-create-key.http';
import { CreateKeyHttp } from './create-key/create-key.http';
import { CreateNamedKeyHttp } from './create-key/create-named-key.http';
import { MintKey } from './create-key/mint-key';
import { CreateMerchantHttp } from './create-merchant/create-merchant.http';
import { AnswerDescribeMerchant } from './describe-merchant/answer-describe-merchant';
import { LoginByPasskeyHttp } from './login-by-passkey/login-by-passkey.http';
import { ListKeysHttp } from './list-keys/list-keys.http';
import { PasskeySetupHttp } from './passkey-setup/passkey-setup.http';
import { AnswerSigningPasskey } from './passkeys/answer-signing-passkey';
import { PasskeysHttp } from './passkeys/passkeys.http';
import { RegisterPasskeyHttp } from './passkeys/register-passkey.http';
import { PasskeyCeremonyHttp } from './passkey-wallet/ceremony.http';
import { ConfirmPasskeyWalletHttp } from './passkey-wallet/confirm-passkey-wallet.http';
import { SealedSharesHttp } from './passkey-wallet/sealed-shares.http';
import { SignerA } from './passkey-wallet/signer-a';
import { LoginByEmailHttp } from './login-by-email/login-by-email.http';
import { ReadMerchantHttp } from './read-merchant/read-merchant.http';
import { ReadWalletHttp } from './read-wallet/read-wallet.http';
import { RotateKeyHttp } from './rotate-key/rotate-key.http';
import { SessionsHttp } from './sessions/sessions.http';
import { UpdateMerchantHttp } from './update-merchant/update-merchant.http';

@Module({
  controllers: [
    CreateMerchantHttp,
    ReadWalletHttp,
    ListKeysHttp,
    CreateKeyHttp,
    CreateNamedKeyHttp,
    RotateKeyHttp,
    AdminCreateKeyHttp,
    UpdateMerchantHttp,
    ReadMerchantHttp,
    SessionsHttp,
    RegisterPasskeyHttp,
    PasskeysHttp,
    LoginByPasskeyHttp,
    PasskeySetupHttp,
    PasskeyCeremonyHttp,
    ConfirmPasskeyWalletHttp,
    SealedSharesHttp,
    LoginByEmailHttp,
  ],
  providers: [SignerA, MintKey, AnswerDescribeMerchant, AnswerSigningPasskey],
})
export class AccountsModule {}
