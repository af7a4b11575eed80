import { Inject, Module, type OnModuleDestroy } from '@nestjs/common';
import type { Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { AdminCreateKeyHttp } from './create-key/admin-create-key.http';
import { CreateKeyHttp } from './create-key/create-key.http';
import { CreateNamedKeyHttp } from './create-key/create-named-key.http';
import { CreateMerchantHttp } from './create-merchant/create-merchant.http';
import { closeKeyDirectory } from './key-directory/key-directory';
import { ListKeysHttp } from './list-keys/list-keys.http';
import { ReadWalletHttp } from './read-wallet/read-wallet.http';
import { RotateKeyHttp } from './rotate-key/rotate-key.http';

@Module({
  controllers: [
    CreateMerchantHttp,
    ReadWalletHttp,
    ListKeysHttp,
    CreateKeyHttp,
    CreateNamedKeyHttp,
    RotateKeyHttp,
    AdminCreateKeyHttp,
  ],
})
export class AccountsModule implements OnModuleDestroy {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  async onModuleDestroy(): Promise<void> {
    await closeKeyDirectory(this.runtime);
  }
}
