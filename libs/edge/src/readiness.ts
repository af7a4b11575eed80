import { chainHealth, type ReadinessAnswer } from '@tender/contracts';
import type { Calls } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/**
 * Orders are served without a chain too, and a gateway that is taken away because a chain is down would help
 * nobody: the answer tells of it, and stays 200.
 */
export async function readinessOf(calls: Calls): Promise<ReadinessAnswer> {
  const [chain_test, chain_live] = await Promise.all([check(calls, 'test'), check(calls, 'live')]);
  const all_well = chain_test === 'ok' && chain_live === 'ok';
  return { status: all_well ? 'ok' : 'degraded', checks: { chain_test, chain_live } };
}

async function check(calls: Calls, mode: Mode): Promise<string> {
  try {
    return (await calls.ask(chainHealth, { mode })).reason ?? 'ok';
  } catch {
    return 'the chain indexer does not answer';
  }
}
