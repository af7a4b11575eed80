import { requestTransfer, type RequestedTransfer } from '@tender/contracts';
import { NotThisOne, type PublicEvent, type Runtime } from '@tender/eventing';
import { invariant, type Mode } from '@tender/kernel';

/**
 * Has treasury send money because of an event, once, however often the event is heard. What becomes of it, the facts
 * `transferSigned`, `transferCompleted` and `transferFailed` tell. Throws `NotThisOne` while the merchant has no
 * operating wallet, so that the event is heard again later and those of others go on.
 */
export async function askForTransfer(
  { calls }: Pick<Runtime, 'calls'>,
  { mode, correlation_id }: Pick<PublicEvent, 'mode' | 'correlation_id'>,
  transfer: RequestedTransfer,
): Promise<void> {
  const { transfer_id } = transfer;
  const asking = { mode: mode as Mode, correlation_id, command_id: `transfer:${transfer_id}` };
  const asked = await calls.ask(requestTransfer, transfer, asking);
  if (asked.ok) return;
  const { refusal } = asked;
  invariant(refusal === 'wallet_not_ready', `the transfer ${transfer_id} means one thing, always`);
  throw new NotThisOne('treasury', { reason: 'the merchant has no operating wallet yet' });
}
