import type { Asked, CommandOrigin } from '@tender/eventing';
import { invariant } from '@tender/kernel';

/** On behalf of the context that asks, under the id that makes its effect happen once. */
export function originOfCall(
  { command_id, correlation_id }: Asked,
  merchant_id: string,
  subject_ids: readonly string[] = [],
): CommandOrigin {
  invariant(command_id, 'a call that changes something names its command');
  return {
    command_id,
    body_hash: null,
    merchant_id,
    actor: 'system:payments.open-for-others',
    correlation_id,
    causation_id: null,
    subject_ids,
  };
}
