import { isoTime } from '@tender/kernel';
import type { RequestContext } from '@tender/contracts';
import type { DomainEvent, Handled, Runtime, StreamName } from '@tender/eventing';

const DAY_MS = 24 * 60 * 60 * 1000;

/** One try of a command: where it writes, and what came of it. */
export interface Tried<State, Event extends DomainEvent, Refusal extends string> {
  readonly stream: StreamName;
  readonly handled: Handled<State, Event, Refusal>;
}

/**
 * An Idempotency-Key counts for 24 hours of business time. Used again later it is another request: it
 * gets the next command id and the next object id (settled 5). The first try is the only one unless
 * the stream holds this very command from before.
 */
export async function onceADay<State, Event extends DomainEvent, Refusal extends string>(
  runtime: Pick<Runtime, 'clock' | 'eventStore' | 'keyRing'>,
  caller: RequestContext,
  attempt: (caller: RequestContext) => Promise<Tried<State, Event, Refusal>>,
): Promise<{ readonly handled: Handled<State, Event, Refusal>; readonly caller: RequestContext }> {
  const { clock, keyRing } = runtime;
  let asked = caller;
  for (let use = 1; ; use += 1) {
    const tried = await attempt(asked);
    const first = await firstAskedAt(runtime, tried, asked.command_id);
    if (first === null || first >= isoTime(clock.now() - DAY_MS)) {
      return { handled: tried.handled, caller: asked };
    }
    asked = {
      ...caller,
      command_id: `${caller.command_id}/${use}`,
      id_seed: keyRing.idBytes(`again|${caller.id_seed}|${use}`).subarray(0, 16).toString('hex'),
    };
  }
}

/** When the log took this command before; null when it is new. */
async function firstAskedAt<State, Event extends DomainEvent, Refusal extends string>(
  { eventStore }: Pick<Runtime, 'eventStore'>,
  { stream, handled }: Tried<State, Event, Refusal>,
  command_id: string,
): Promise<string | null> {
  if (handled.ok) {
    const [first] = handled.repeated ? handled.events : [];
    return first?.metadata.occurred_at ?? null;
  }
  if (handled.refusal !== 'idempotency_key_reused') return null;
  const events = await eventStore.load(stream);
  const first = events.find(({ metadata }) => metadata.command_id === command_id);
  return first?.metadata.occurred_at ?? null;
}
