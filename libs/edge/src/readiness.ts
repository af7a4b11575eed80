import { chainHealth } from '@tender/contracts';
import type { Calls } from '@tender/eventing';
import { ApiError } from '@tender/http';
import { MODES, type Mode } from '@tender/kernel';

/**
 * A gateway whose chain nobody follows still takes orders, but no payment would be seen: it is not ready.
 * Throws 503 with what stands in the way, by network.
 */
export async function checkReadiness(calls: Calls): Promise<void> {
  const reasons = await Promise.all(MODES.map((mode) => reasonOf(calls, mode)));
  const failed = MODES.map((mode, index) => [`chain_${mode}`, reasons[index]] as const).filter(
    ([, reason]) => reason !== null,
  );
  if (failed.length === 0) return;
  const networks = failed.map(([name]) => name).join(', ');
  const sentence = `Payments are not seen at the moment: ${networks}. The checks say why.`;
  const checks = Object.fromEntries(failed);
  throw new ApiError(503, 'service_unavailable', sentence, { checks }, { 'Retry-After': '2' });
}

async function reasonOf(calls: Calls, mode: Mode): Promise<string | null> {
  try {
    return (await calls.ask(chainHealth, { mode })).reason;
  } catch {
    return 'the chain indexer does not answer';
  }
}
