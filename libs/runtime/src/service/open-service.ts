import type { Provider } from '@nestjs/common';
import { followClock, type Env, type Stage } from '@tender/eventing';
import { openContexts, type HostedContext } from '@tender/http';
import { BusTransport } from '../bus-transport';
import { distributed, type DistributedRuntime, type Observers, type ProcessParts } from '../distributed';
import type { Closer, Decorate } from '../open-tables';
import { programStage } from '../program-stage';
import type { ServiceSettings } from '../settings/service-settings';
import { Work } from '../work';
import { leadService, type Leading } from './lead';

export interface ServeOptions extends Observers {
  /** From which each context reads its own settings. */
  readonly env: Env;
  /** The work of a leader goes on beside its heir's: the process must end. */
  readonly stuck: () => void;
  /** Puts something between the service and its ports; tests only. */
  readonly decorate?: Decorate | undefined;
}

export interface OpenService {
  readonly runtime: DistributedRuntime;
  /** What the modules of the contexts ask for beside the runtime. */
  readonly providers: readonly Provider[];
  /** Hears nothing before this replica leads. */
  readonly transport: BusTransport;
  /** Not started yet; the caller starts it, and ends it. */
  readonly leading: Leading;
  /** What the leader does, at rest or not. */
  readonly stage: Stage;
  /** Business time minus wall time at the start, in milliseconds. */
  readonly offset_ms: number;
}

/** The ports of one service, its time and what it does when it leads. `closers` end the ports. */
export async function openService(
  parts: ProcessParts & { readonly name: string; readonly contexts: readonly HostedContext[] },
  settings: ServiceSettings,
  { log, telemetry, stuck, decorate }: Omit<ServeOptions, 'env'>,
  closers: Closer[],
): Promise<OpenService> {
  const runtime = await distributed(parts, settings, { log, telemetry }, decorate);
  closers.push(() => runtime.close());
  const { offset_ms, follower } = await followClock(runtime.eventStore, runtime.clock);
  closers.push(() => follower.stop());
  const transport = new BusTransport(runtime.bus);
  const { contexts, name } = parts;
  const opened = openContexts(contexts, runtime);
  const { relay, leaderTables: readModels } = runtime;
  const followed = { ...runtime, readModels };
  const work = new Work({ runtime: followed, contexts, opened, transport, relay });
  const leading = leadService(name, runtime, work, stuck);
  const stage = programStage({
    ...{ work: work.stage, clock: runtime.clock, log: runtime.eventStore, delays: runtime.delays },
    hears_by_topics: true,
    nextTry: () => transport.nextTry(),
  });
  return { runtime, providers: opened.providers, transport, leading, stage, offset_ms };
}
