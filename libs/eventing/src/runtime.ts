import type { Clock, Mode } from '@tender/kernel';
import type { Bus } from './ports/bus';
import type { Calls } from './ports/calls';
import type { Chain } from './ports/chain';
import type { EventStore } from './ports/event-store';
import type { KeyRing } from './ports/key-ring';
import type { Log } from './ports/log';
import type { Mail } from './ports/mail';
import type { Outbound } from './ports/outbound';
import type { Random } from './ports/random';
import type { Rates } from './ports/rates';
import type { ReadModels } from './ports/read-models';
import type { Signers } from './ports/signers';
import type { Sources } from './ports/sources';
import type { Telemetry } from './ports/telemetry';

/** Everything outside the program. The whole difference between the embedded and the distributed run. */
export interface Runtime {
  readonly eventStore: EventStore;
  readonly bus: Bus;
  readonly readModels: ReadModels;
  readonly calls: Calls;
  readonly chains: Readonly<Record<Mode, Chain>>;
  readonly rates: Rates;
  readonly outbound: Outbound;
  readonly sources: Sources;
  readonly mail: Mail;
  readonly keyRing: KeyRing;
  /** Null where there are none: no operating wallet can be made, and no money leaves one. */
  readonly signers: Signers | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly telemetry: Telemetry;
}
