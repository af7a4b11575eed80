import { ACCOUNT_SETTINGS, AccountsModule, accountSettings } from '@tender/accounts-features';
import { ChainIndexerModule } from '@tender/chain-indexer-features';
import type { LocalChain, Stage } from '@tender/eventing';
import { LOCAL_CHAIN, RATE_TABLE, STAGE } from '@tender/http';
import { PAYMENT_SETTINGS, PaymentsModule, type PaymentSettings } from '@tender/payments-features';
import type { AppParts, EmbeddedRuntime } from '@tender/runtime';
import { SANDBOX_SETTINGS, SandboxModule, sandboxSettings } from '@tender/sandbox-features';
import { WebhookDispatcherModule } from '@tender/webhook-dispatcher-features';
import type { Settings } from './settings';

export interface ProgramParts {
  readonly runtime: EmbeddedRuntime;
  readonly stage: Stage;
  /** Null where a chain outside is used: then there are no test helpers either. */
  readonly localChain: LocalChain | null;
  /** Where the program is reached; its port may be known only once it listens. */
  readonly place: { readonly url: string };
  readonly settings: Pick<Settings, 'payment_lifetime_ms'>;
}

/** The module of every context that does something, and what they ask for. */
export function programParts(parts: ProgramParts): Pick<AppParts, 'modules' | 'providers'> {
  const { place, settings } = parts;
  const payments: PaymentSettings = {
    payment_lifetime_ms: settings.payment_lifetime_ms,
    get checkout_url() {
      return place.url;
    },
  };
  return {
    providers: [
      { provide: RATE_TABLE, useValue: parts.runtime.rates },
      { provide: STAGE, useValue: parts.stage },
      { provide: LOCAL_CHAIN, useValue: parts.localChain },
      { provide: PAYMENT_SETTINGS, useValue: payments },
      { provide: SANDBOX_SETTINGS, useValue: sandboxSettings(place) },
      { provide: ACCOUNT_SETTINGS, useValue: accountSettings(place) },
    ],
    modules: [
      AccountsModule,
      PaymentsModule,
      ChainIndexerModule,
      WebhookDispatcherModule,
      ...(parts.localChain ? [SandboxModule] : []),
    ],
  };
}
