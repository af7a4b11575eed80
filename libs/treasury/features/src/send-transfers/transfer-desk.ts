import type { Runtime } from '@tender/eventing';
import type { CommandOf, Mode } from '@tender/kernel';
import type {
  CompleteTransfer,
  FailTransfer,
  outgoingTransferDecider,
  TransferTerms,
} from '@tender/treasury-domain';
import type { FeeKey } from '../fee-key';
import type { Custody } from '../outgoing-transfer/custody';
import { endLeaving } from '../held-money/held-money.record';
import { outgoingTransfer } from '../outgoing-transfer/outgoing-transfer.aggregate';
import { systemOrigin } from '../system-origin';

/** What it takes to make transfers in one mode. */
export interface TransferDesk {
  readonly runtime: Runtime;
  readonly mode: Mode;
  readonly custody: Custody;
  /** Pays fees, rents and markers. */
  readonly key: FeeKey;
  readonly lamports_day: bigint;
}

type TransferCommand = CommandOf<typeof outgoingTransferDecider>;

/** Gives a command that follows from what the chain or the signers say; once for each `command_id`. */
export const record = <Command extends TransferCommand>(
  { runtime, mode }: Pick<TransferDesk, 'runtime' | 'mode'>,
  { transfer_id, merchant_id }: TransferTerms,
  command: Command,
  command_id: string,
) =>
  outgoingTransfer.handle(
    runtime,
    mode,
    transfer_id,
    command,
    systemOrigin(runtime, command_id, merchant_id, 'system:treasury.send-transfers'),
  );

/** Gives a command that ends the transfer, because of that transaction. False: it has ended in another way. */
export async function ends(
  desk: TransferDesk,
  transfer: TransferTerms,
  command: CompleteTransfer | FailTransfer,
  because_of: string,
): Promise<boolean> {
  const { runtime, mode } = desk;
  // Before the record: where this process dies between the two, it is said again.
  const has_left = command.type === 'CompleteTransfer';
  await endLeaving(runtime.readModels, transfer, runtime.clock.wall(), has_left);
  const handled = await record(desk, transfer, command, `${command.type}:${because_of}`);
  if (!handled.ok) return false;
  const outcome = command.type === 'FailTransfer' ? 'failed' : 'completed';
  if (!handled.repeated) runtime.telemetry.count('tender_outgoing_transfers_total', { mode, outcome });
  return true;
}
