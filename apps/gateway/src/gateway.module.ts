import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { ACCOUNT_SETTINGS, AccountsModule, accountSettings } from '@tender/accounts-features';
import type { LocalChain, Stage } from '@tender/eventing';
import { LOCAL_CHAIN, RATE_TABLE, RUNTIME, STAGE } from '@tender/http';
import type { DistributedRuntime } from '@tender/runtime';
import { SANDBOX_SETTINGS, SandboxModule, sandboxSettings } from '@tender/sandbox-features';

export interface GatewayParts {
  readonly runtime: DistributedRuntime;
  readonly stage: Stage;
  /** Null where the test helpers are not served. */
  readonly localChain: LocalChain | null;
  /** Where the gateway is reached; its port may be known only once it listens. */
  readonly place: { readonly url: string };
}

@Module({})
class PortsModule {}

@Module({})
class GatewayModule {}

/** The contexts that live in the gateway's process: accounts, and the sandbox where it is allowed. */
export function gatewayModule({ runtime, stage, localChain, place }: GatewayParts): DynamicModule {
  const providers: Provider[] = [
    { provide: RUNTIME, useValue: runtime },
    { provide: RATE_TABLE, useValue: runtime.rates },
    { provide: STAGE, useValue: stage },
    { provide: LOCAL_CHAIN, useValue: localChain },
    { provide: SANDBOX_SETTINGS, useValue: sandboxSettings(place) },
    { provide: ACCOUNT_SETTINGS, useValue: accountSettings(place) },
  ];
  return {
    module: GatewayModule,
    imports: [
      { module: PortsModule, global: true, providers, exports: providers },
      AccountsModule,
      ...(localChain ? [SandboxModule] : []),
    ],
  };
}
