import { randomBytes, randomUUID } from 'node:crypto';
import {
  describeMerchant,
  operatingWallet,
  signingPasskey,
  type MerchantProfile,
} from '@tender/contracts';
import type { Log, Runtime, StoredEvent } from '@tender/eventing';
import { recordedTelemetry } from '@tender/eventing/testing';
import { isoTime, type Mode } from '@tender/kernel';
import type { ContextStage } from '@tender/runtime/testing';
import { identityOf } from '@tender/threshold';
import { dealtWallet } from '@tender/threshold/testing';
import type { OpenWallet } from '@tender/treasury-domain';
import { operatingWallets } from '../operating-wallet/operating-wallet.aggregate';
import { OperatingWallets } from '../operating-wallet/operating-wallets';
import { systemOrigin } from '../system-origin';
import { SignersDouble } from './signers-double';
import { treasuryHouse } from './treasury-stage';

export const SETTLEMENT_WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

/** The context treasury with signers, and merchants whom accounts knows. */
export async function walletsStage() {
  const house = await treasuryHouse();
  const merchants = new Map<string, string | null>();
  const passkeys = new Map<string, string>();
  const lines: string[] = [];
  const write = (fields: object, message: string): void => {
    lines.push(JSON.stringify({ message, ...fields }));
  };
  const log: Log = { info: write, warn: write, error: write };
  let on!: ContextStage;
  const recorded = recordedTelemetry();
  let counted_before = 0;
  const test = {
    signers: new SignersDouble(),
    lines,
    get stage() {
      return on;
    },
    get wallets() {
      return on.app.get(OperatingWallets);
    },
    get alarms() {
      const counted = recorded.of('tender_signer_alarms_total').slice(counted_before);
      // Each process begins by counting none of each code.
      return counted.filter(([, by]) => by !== 0);
    },
    /** As after a start: the signers are honest, and nothing was said or counted. */
    reset(): void {
      test.signers.reset();
      lines.length = 0;
      counted_before = recorded.of('tender_signer_alarms_total').length;
    },
    /** Another process of treasury, in the same house, with the same signers unless told. */
    async start(ports: Partial<Runtime> = {}): Promise<void> {
      const chains = { test: {}, live: {} } as never;
      const telemetry = { ...recorded.telemetry, on: false };
      const { signers } = test;
      const all = { chains, log, telemetry, signers, ...ports };
      on = await house.open({ sponsor: null, ports: all });
      on.runtime.calls.answer(describeMerchant, async ({ merchant_id }) => {
        const wallet = merchants.get(merchant_id);
        return wallet === undefined ? null : ({ merchant_id, wallet } as MerchantProfile);
      });
      on.runtime.calls.answer(signingPasskey, async ({ merchant_id, passkey_id }) => {
        const public_key = passkeys.get(`${merchant_id} ${passkey_id}`);
        return public_key === undefined ? null : { public_key };
      });
    },
    merchant(wallet: string | null = SETTLEMENT_WALLET): string {
      const merchant_id = randomUUID();
      merchants.set(merchant_id, wallet);
      return merchant_id;
    },
    /** Accounts has registered it, to sign. */
    hasPasskey(merchant_id: string, passkey_id: string, public_key: string): void {
      passkeys.set(`${merchant_id} ${passkey_id}`, public_key);
    },
    settlesTo(merchant_id: string, wallet: string): void {
      merchants.set(merchant_id, wallet);
    },
    /** As another context asks for it. */
    async ask(merchant_id: string, mode: Mode = 'test') {
      const asking = { mode, correlation_id: randomUUID(), command_id: randomUUID() };
      return on.runtime.calls.ask(operatingWallet, { merchant_id }, asking);
    },
    /** A wallet whose ceremony the test does not wait for: its shares were dealt. */
    async dealt(): Promise<OpenWallet> {
      const merchant_id = test.merchant();
      const { signers } = test;
      const [A, B] = [signers.a.identity, signers.b.identity];
      const identities = { A, B, R: identityOf(randomBytes(32)) };
      const about = { merchant_id, settlement_wallet: SETTLEMENT_WALLET };
      const { roster, signatures, shares } = dealtWallet(about, identities);
      const { wallet: address } = roster;
      for (const party of [signers.a, signers.b]) party.shares.set(address, shares[party.role]);
      const [session, at] = ['dealt-session', isoTime(on.runtime.clock.now())];
      const begin = { type: 'BeginWallet', merchant_id, settlement_wallet: null, session, at } as const;
      const signed = { roster, signatures };
      const open = { type: 'OpenWalletOf', session, address, roster: signed, at } as const;
      for (const command of [begin, open]) {
        const origin = systemOrigin(on.runtime, `${command.type}:${address}`, merchant_id);
        await operatingWallets.handle(on.runtime, 'test', merchant_id, command, origin);
      }
      return test.opened(merchant_id);
    },
    async opened(merchant_id: string, mode: Mode = 'test'): Promise<OpenWallet> {
      const opened = await test.wallets.open(mode, merchant_id);
      if (!opened.ok || opened.value === null) throw new Error(`no wallet: ${test.lines.at(-1)}`);
      return opened.value;
    },
    history: (merchant_id: string, mode: Mode = 'test'): Promise<readonly StoredEvent[]> =>
      operatingWallets.history(on.runtime, mode, merchant_id),
    async types(merchant_id: string, mode: Mode = 'test'): Promise<readonly string[]> {
      return (await test.history(merchant_id, mode)).map(({ type }) => type);
    },
    close: house.close,
  };
  return test;
}

export type WalletsStage = Awaited<ReturnType<typeof walletsStage>>;
