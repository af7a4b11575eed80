import { followClock, type Env } from '@tender/eventing';
import { BusTransport } from '../bus-transport';
import { distributed, type DistributedRuntime, type Observers, type ProcessParts } from '../distributed';
import type { Closer, Decorate } from '../open-tables';
import type { ServiceSettings } from '../settings/service-settings';
import { leadService, type Leading } from './lead';

export interface ServeOptions extends Observers {
  /** From which each context reads its own settings. */
  readonly env: Env;
  /** The lease went to another replica: the process must end. */
  readonly lost: () => void;
  /** Puts something between the service and its ports; tests only. */
  readonly decorate?: Decorate | undefined;
}

export interface OpenService {
  readonly runtime: DistributedRuntime;
  /** Hears nothing before this replica leads. */
  readonly transport: BusTransport;
  /** Not started yet, and ended by whoever starts it. */
  readonly leading: Leading;
  /** Business time minus wall time at the start, in milliseconds. */
  readonly offset_ms: number;
}

/** The ports of one service, its time and what it does when it leads. `closers` end the ports. */
export async function openService(
  parts: ProcessParts & { readonly name: string },
  settings: ServiceSettings,
  { log, telemetry, lost, decorate }: Omit<ServeOptions, 'env'>,
  closers: Closer[],
): Promise<OpenService> {
  const runtime = await distributed(parts, settings, { log, telemetry }, decorate);
  closers.push(() => runtime.close());
  const { offset_ms, follower } = await followClock(runtime.eventStore, runtime.clock);
  closers.push(() => follower.stop());
  const transport = new BusTransport(runtime.bus, { waits: true });
  const leading = leadService(parts.name, runtime, parts.contexts, transport, lost);
  return { runtime, transport, leading, offset_ms };
}
