import { callRpc } from '@tender/localnet';

/** More blocks than it takes. */
const SLOTS = 40;

interface Statuses {
  readonly value: readonly ({ readonly confirmationStatus: string } | null)[];
}

/**
 * Makes blocks until a transaction is final, which on a chain of people takes 13 s, if it is in one already. Answers
 * whether it was.
 */
export async function finalize(rpc_url: string, signature: string): Promise<boolean> {
  const { value } = await callRpc<Statuses>(rpc_url, 'getSignatureStatuses', [signature]);
  const status = value[0]?.confirmationStatus;
  if (status === 'confirmed') await callRpc(rpc_url, 'localnet_warpSlots', { slots: SLOTS });
  return status === 'confirmed' || status === 'finalized';
}
