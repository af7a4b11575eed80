import { chainHealth, sanctionsHealth, type ReadinessAnswer } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

type Asker = Pick<Runtime, 'calls' | 'random'>;

/**
 * Orders are served without a chain too, and a gateway that is taken away because a chain is down would help
 * no client: the answer tells of it, and stays 200.
 */
export async function readinessOf(runtime: Asker): Promise<ReadinessAnswer> {
  const [chain_test, chain_live, sanctions] = await Promise.all([
    chain(runtime, 'test'),
    chain(runtime, 'live'),
    sanctionsList(runtime),
  ]);
  const checks = { chain_test, chain_live, sanctions };
  const all_well = Object.values(checks).every((check) => check === 'ok');
  return { status: all_well ? 'ok' : 'degraded', checks };
}

async function chain({ calls, random }: Asker, mode: Mode): Promise<string> {
  const asking = { mode, correlation_id: random.uuid() };
  return told(calls.ask(chainHealth, { mode }, asking), 'the chain indexer does not answer');
}

async function sanctionsList({ calls, random }: Asker): Promise<string> {
  const asking = { mode: 'live', correlation_id: random.uuid() } as const;
  return told(calls.ask(sanctionsHealth, {}, asking), 'fraud does not answer');
}

async function told(
  health: Promise<{ readonly reason: string | null }>,
  unheard: string,
): Promise<string> {
  try {
    return (await health).reason ?? 'ok';
  } catch {
    return unheard;
  }
}
