import { startTestPostgres } from '@tender/adapter-postgres/testing';
import type { Runtime } from '@tender/eventing';
import { waitLong } from '@tender/eventing/testing';
import { contextStage, type ContextStage } from '@tender/runtime/testing';
import type { Quotas } from '@tender/treasury-domain';
import type { FeeKey } from '../fee-key';
import { TREASURY_SETTINGS, type TreasurySettings } from '../settings';
import type { Custody } from '../outgoing-transfer/custody';
import { openTreasury } from '../treasury';
import { treasuryContext } from '../treasury.context';

export interface TreasuryParts {
  readonly ports: Partial<Runtime>;
  /** Of test mode; null: there is none. */
  readonly sponsor: FeeKey | null;
  readonly quotas?: Partial<Quotas>;
  /** Pays for outgoing transfers in test mode; left out: nothing leaves a wallet. */
  readonly payouts?: {
    readonly key: FeeKey;
    readonly lamports_day?: bigint;
    readonly custody: Custody;
  };
}

/** Where merchants use passkeys that sign. */
export const APPROVAL_URL = 'http://localhost:8090';

const QUOTAS: Quotas = {
  ...{ per_wallet_day: 20, per_address_hour: 100, per_merchant_day: 1_000 },
  lamports_day: 1_000_000_000n,
};

/** A database in which the context treasury is opened, and opened again, as processes that follow each other. */
export async function treasuryHouse() {
  const postgres = await startTestPostgres();
  const connectionString = await postgres.database();
  let current: ContextStage | null = null;
  return {
    /** Ends the one before: one process writes the log. */
    async open({ ports, sponsor, quotas, payouts }: TreasuryParts): Promise<ContextStage> {
      await current?.close();
      current = null;
      const settings: TreasurySettings = {
        sponsors: { test: sponsor, live: null },
        quotas: { ...QUOTAS, ...quotas },
        payouts: {
          keys: { test: payouts?.key ?? null, live: null },
          lamports_day: payouts?.lamports_day ?? 1_000_000_000n,
        },
        approval_url: APPROVAL_URL,
      };
      const context = {
        ...treasuryContext,
        open: (runtime: Runtime) => openTreasury(runtime, undefined, payouts?.custody),
      };
      const stage = await contextStage({
        connectionString,
        context,
        providers: [{ provide: TREASURY_SETTINGS, useValue: settings }],
        ports,
        speaker: { name: 'accounts', categories: ['merchant.all'] },
      });
      waitLong(stage.runtime);
      current = stage;
      return stage;
    },
    async close(): Promise<void> {
      await current?.close();
      await postgres.stop();
    },
  };
}
