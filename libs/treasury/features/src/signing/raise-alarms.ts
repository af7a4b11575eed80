import type { Runtime } from '@tender/eventing';
import { isoTime, type Mode } from '@tender/kernel';
import { alarmsTooMuch, type OpenWallet, type SignerAlarm } from '@tender/treasury-domain';
import { freezeAtSigners } from '../operating-wallet/freeze-at-signers';
import { operatingWallets } from '../operating-wallet/operating-wallet.aggregate';
import { systemOrigin } from '../system-origin';

/** Whose wallet, and which transfer was to be signed. */
export interface AlarmedAt {
  readonly mode: Mode;
  readonly wallet: OpenWallet;
  readonly operation_id: string;
}

/** Keeps that signers have alarmed, and stops the wallet where they have too often. */
export async function raiseAlarms(
  runtime: Runtime,
  { mode, wallet, operation_id }: AlarmedAt,
  alarms: readonly SignerAlarm[],
): Promise<void> {
  const { merchant_id, address } = wallet;
  const { clock, log, random, telemetry } = runtime;
  for (const { code } of alarms) telemetry.count('tender_signer_alarms_total', { code });
  log.error({ mode, address, operation_id, alarms }, 'signers refuse what an honest treasury never asks');
  const at = isoTime(clock.now());
  const origin = () => systemOrigin(runtime, random.uuid(), merchant_id);
  const raise = { type: 'RaiseAlarms', operation_id, alarms, at } as const;
  const raised = await operatingWallets.handle(runtime, mode, merchant_id, raise, origin());
  if (!raised.ok || !alarmsTooMuch(raised.state)) return;
  const signers = await freezeAtSigners(runtime, wallet, 'too many alarms');
  // Neither has heard: the next alarm asks them again.
  if (signers.length === 0) return;
  const freeze = { type: 'FreezeWallet', by: 'alarms', reason: null, signers, at } as const;
  await operatingWallets.handle(runtime, mode, merchant_id, freeze, origin());
  log.error({ mode, address, signers }, 'an operating wallet is frozen: its signers have alarmed too often');
}
