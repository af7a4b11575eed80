import type { HostedContext } from '@tender/http';
import { SandboxModule } from './sandbox.module';
import { sandboxSettings } from './settings';

/** The test helpers: served only where they may give money and time away. Their clock is a stream. */
export const sandboxContext: HostedContext = {
  name: 'sandbox',
  schema: 'sandbox',
  migrations: [],
  projections: [],
  publishes: { categories: [], publish: () => null },
  module: SandboxModule,
  settings: sandboxSettings,
};
