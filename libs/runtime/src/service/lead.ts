import { followProjections, type Context, type Lease, type Stage, type Worker } from '@tender/eventing';
import type { BusTransport } from '../bus-transport';
import type { DistributedRuntime } from '../distributed';
import { programStage } from '../program-stage';

export interface Leading {
  readonly stage: Stage;
  leads(): boolean;
  /** Asks for the lease; call it once the reactors are known. */
  start(): void;
  /** Ends the work first, then lets another replica have the lease. */
  stop(): Promise<void>;
}

/**
 * One replica of a service follows the log and the bus and runs the workers; the others stand by (settled 24).
 * A replica that has lost the lease calls `lost`: what it had in memory is another's now.
 */
export function leadService(
  name: string,
  runtime: DistributedRuntime,
  contexts: readonly Context[],
  transport: BusTransport,
  lost: () => void,
): Leading {
  const workers: Worker[] = contexts.flatMap(({ workers: of }) => of?.(runtime) ?? []);
  const projections = contexts.map((context) => followProjections({ ...runtime, ...context }));
  const { relay, leases, standing } = runtime;
  let stopping = false;

  const whole = programStage({
    workers,
    followers: [...projections, relay, transport],
    clock: runtime.clock,
  });
  runtime.telemetry.watch('tender_lease_held', () => [
    { value: standing.leads ? 1 : 0, labels: { lease: name } },
  ]);
  let lease: Lease | null = null;
  return {
    stage: {
      ...whole,
      nextDue: async () => (standing.leads ? whole.nextDue() : null),
      idle: async () => (standing.leads ? whole.idle() : undefined),
    },
    leads: () => standing.leads,
    start() {
      lease = leases.lead(name, startWork);
    },
    async stop() {
      stopping = true;
      await lease?.stop();
    },
  };

  async function startWork() {
    try {
      await Promise.all(projections.map((projection) => projection.start()));
      await relay.start();
      await transport.subscribe();
      await Promise.all(workers.map((worker) => worker.start()));
    } catch (error) {
      runtime.log.error({ err: error, service: name }, 'the work of the leader cannot be started');
      await stopWork();
      throw error;
    }
    standing.leads = true;
    return { stop: stopWork };
  }

  async function stopWork(): Promise<void> {
    standing.leads = false;
    // Whatever hangs in the work, the process ends soon: until then it holds partitions that are another's.
    if (!stopping) lost();
    await Promise.all([
      ...workers.map((worker) => worker.stop()),
      transport.close(),
      relay.stop(),
      ...projections.map((projection) => projection.stop()),
    ]);
  }
}
