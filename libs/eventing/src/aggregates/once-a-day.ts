import { isoTime, type Clock } from '@tender/kernel';
import type { KeyRing } from '../ports/key-ring';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A client's request, as ids and repeats need it. */
export interface CommandRequest {
  /** Derived from the Idempotency-Key where there is one, random otherwise. */
  readonly command_id: string;
  /** 16 bytes, hex: what ids of new objects derive from. */
  readonly id_seed: string;
}

/** What came of a command, as far as the idempotency window asks. */
export type Tried =
  | {
      readonly ok: true;
      readonly repeated: boolean;
      readonly events: readonly { readonly metadata: { readonly occurred_at: string } }[];
    }
  | { readonly ok: false; readonly first_used_at?: string };

/**
 * An Idempotency-Key counts for 24 hours of business time. Used again later it is another request: it gets the next
 * command id, and objects that it makes the next ids. The first try is the only one unless the stream holds this
 * very command from before.
 */
export async function onceADay<Request extends CommandRequest, Handled extends Tried>(
  { clock, keyRing }: { readonly clock: Clock; readonly keyRing: KeyRing },
  request: Request,
  attempt: (request: Request) => Promise<Handled>,
): Promise<{ readonly handled: Handled; readonly asked: Request }> {
  let asked = request;
  for (let use = 1; ; use += 1) {
    const handled = await attempt(asked);
    const first_used_at = firstUseOf(handled);
    if (first_used_at === null || first_used_at >= isoTime(clock.now() - DAY_MS)) {
      return { handled, asked };
    }
    asked = {
      ...request,
      command_id: `${request.command_id}/${use}`,
      id_seed: keyRing.idBytes(`again|${request.id_seed}|${use}`).subarray(0, 16).toString('hex'),
    };
  }
}

/** When the log took this command before; null when it is new. */
function firstUseOf(tried: Tried): string | null {
  if (!tried.ok) return tried.first_used_at ?? null;
  const [first] = tried.repeated ? tried.events : [];
  return first?.metadata.occurred_at ?? null;
}
