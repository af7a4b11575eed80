import { realDelays } from '@tender/adapter-postgres';
import { inTime, Unavailable, type SignerLink } from '@tender/eventing';

/** Longer than a start takes on a busy machine. */
const AWAKE_MS = 20_000;

const PART = 'a signer';

/** A link that asks once the signers serve. Throws `Unavailable` where they cannot start, or not in time. */
export function onceAwake(
  link: SignerLink,
  awaken: () => Promise<void>,
  awake_ms = AWAKE_MS,
): SignerLink {
  // They do not fall asleep again.
  let are_awake = false;
  return {
    async ask(message) {
      if (!are_awake) await untilAwake(awaken, awake_ms);
      are_awake = true;
      return link.ask(message);
    },
  };
}

async function untilAwake(awaken: () => Promise<void>, awake_ms: number): Promise<void> {
  const late = (): never => {
    throw new Unavailable(PART, { reason: `it did not start within ${awake_ms} ms` });
  };
  try {
    await inTime(realDelays, awaken(), awake_ms, late);
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    throw new Unavailable(PART, { cause: error, reason: 'it cannot start' });
  }
}
