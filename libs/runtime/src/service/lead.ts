import type { Lease, Led } from '@tender/eventing';
import type { DistributedRuntime } from '../distributed';
import type { Work } from '../work';

export interface Leading {
  /** Asks for the lease; call it once the reactors are known. */
  start(): void;
  /** Ends the work first, then lets another replica have the lease. */
  stop(): Promise<void>;
}

/** Work that still goes on beside that of the next leader is ended with its process (ADR 0013). */
const STUCK_MS = 5_000;

/**
 * One replica of a service follows the log and the bus and runs the workers; the others stand by (ADR 0013). A
 * replica that has lost the lease steps down, goes on answering, and may lead again: it calls `stuck` only where
 * its work has not stopped in time.
 */
export function leadService(
  name: string,
  runtime: Pick<DistributedRuntime, 'leases' | 'standing' | 'telemetry' | 'log' | 'delays'>,
  work: Pick<Work, 'start'>,
  stuck: () => void,
): Leading {
  const { leases, standing, telemetry, log, delays } = runtime;
  let stopping = false;
  let lease: Lease | null = null;
  telemetry.watch('tender_lease_held', () => [
    { value: standing.leads ? 1 : 0, labels: { lease: name } },
  ]);

  return {
    start() {
      const held = leases.lead(name, lead);
      standing.takenOver = () => {
        if (!standing.leads) return;
        log.warn({ service: name }, 'another process has taken a checkpoint of the leader: a new term begins');
        held.renounce();
      };
      lease = held;
    },
    async stop() {
      stopping = true;
      await lease?.stop();
    },
  };

  async function lead(over: AbortSignal): Promise<Led> {
    let ended = (): void => undefined;
    const stepDown = (): void => {
      standing.leads = false;
      if (stopping) return;
      log.warn({ service: name }, 'this replica no longer leads, and stands by');
      ended = delays.after(STUCK_MS, stuck);
    };
    over.addEventListener('abort', stepDown);
    const end = (): void => {
      over.removeEventListener('abort', stepDown);
      ended();
    };
    try {
      const led = await work.start(over);
      standing.leads = !over.aborted;
      return { stop: () => led.stop().finally(end) };
    } catch (error) {
      end();
      throw error;
    }
  }
}
