import { Following } from './following';
import { measuredBus, type MeasuredBusParts } from './measured-bus';
import { measuredCalls } from './measured-calls';
import { measuredEventStore } from './measured-event-store';
import type { Runtime } from '../runtime';

export type MeasurablePorts = Pick<
  Runtime,
  'eventStore' | 'bus' | 'calls' | 'readModels' | 'telemetry' | 'clock'
> &
  Pick<MeasuredBusParts, 'contexts'>;

/**
 * The same log, bus and calls, whichever they are, with appends, followers, consumers and questions measured.
 * A bus that follows the log is given the log itself, so that its consumers are counted once.
 */
export function measuredPorts(ports: MeasurablePorts): Pick<Runtime, 'eventStore' | 'bus' | 'calls'> {
  const { eventStore, bus, calls, telemetry } = ports;
  if (!telemetry.on) return { eventStore, bus, calls };
  const following = new Following(telemetry, ports.clock);
  return {
    eventStore: measuredEventStore(eventStore, telemetry, following),
    bus: measuredBus({ ...ports, following }),
    calls: measuredCalls(calls, telemetry),
  };
}
