import type { Clock, Mode } from '@tender/kernel';
import type { Bus } from './bus';
import type { Calls } from './calls';
import type { Chain } from './chain';
import type { EventStore } from './event-store';
import type { KeyRing } from './key-ring';
import type { Log } from './log';
import type { Outbound } from './outbound';
import type { Random } from './random';
import type { Rates } from './rates';
import type { ReadModels } from './read-models';
import type { Telemetry } from './telemetry';

/** Everything outside the program. The whole difference between the embedded and the distributed run (settled 16). */
export interface Runtime {
  readonly eventStore: EventStore;
  readonly bus: Bus;
  readonly readModels: ReadModels;
  readonly calls: Calls;
  readonly chains: Readonly<Record<Mode, Chain>>;
  readonly rates: Rates;
  readonly outbound: Outbound;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly telemetry: Telemetry;
}
