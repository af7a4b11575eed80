import { chainHealth, type ReadinessAnswer } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

type Asker = Pick<Runtime, 'calls' | 'random'>;

/**
 * Orders are served without a chain too, and a gateway that is taken away because a chain is down would help
 * no client: the answer tells of it, and stays 200.
 */
export async function readinessOf(runtime: Asker): Promise<ReadinessAnswer> {
  const [chain_test, chain_live] = await Promise.all([check(runtime, 'test'), check(runtime, 'live')]);
  const all_well = chain_test === 'ok' && chain_live === 'ok';
  return { status: all_well ? 'ok' : 'degraded', checks: { chain_test, chain_live } };
}

async function check({ calls, random }: Asker, mode: Mode): Promise<string> {
  try {
    const asking = { mode, correlation_id: random.uuid() };
    return (await calls.ask(chainHealth, { mode }, asking)).reason ?? 'ok';
  } catch {
    return 'the chain indexer does not answer';
  }
}
