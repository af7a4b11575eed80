import type { Delays, Log } from '@tender/eventing';

export interface SignersWhenAskedOptions {
  /** Starts those that do not serve yet. */
  readonly start: () => Promise<unknown>;
  readonly delays: Delays;
  readonly log: Log;
}

export interface SignersWhenAsked {
  /** Resolves once both serve; rejects where they cannot start. */
  awaken(): Promise<void>;
  /** Called as the program ends: from then on it starts no signer, and every `awaken` rejects. */
  refuse(): void;
}

/** After a failed start, `awaken` rejects with that failure for this long: each try costs a second of CPU. */
const AGAIN_MS = 5_000;

/** Signers that start when they are first asked. */
export function signersWhenAsked({
  start,
  delays,
  log,
}: SignersWhenAskedOptions): SignersWhenAsked {
  let starting: Promise<void> | null = null;
  let cancelAgain = (): void => undefined;
  const end = Promise.withResolvers<never>();
  let is_ending = false;
  // It also rejects when no caller is waiting.
  end.promise.catch(() => undefined);

  return {
    awaken: () => (is_ending ? end.promise : (starting ??= begin())),
    refuse() {
      is_ending = true;
      cancelAgain();
      end.reject(new Error('the program ends'));
    },
  };

  async function begin(): Promise<void> {
    try {
      await Promise.race([start(), end.promise]);
    } catch (error) {
      if (!is_ending) {
        log.error({ err: error }, 'the signers of operating wallets cannot start');
        cancelAgain = delays.after(AGAIN_MS, () => (starting = null));
      }
      throw error;
    }
  }
}
