import type { SignersStart, StartedSigner } from './local-signers';

/** One of the signers of this program. */
export interface KeptSigner {
  /** Starts it once: who calls meanwhile or later has the same one. After a failure it is started again. */
  start(to: SignersStart): Promise<StartedSigner>;
  /** Ends it, also one that is starting. */
  stop(): Promise<void>;
}

export function keptSigner(begin: KeptSigner['start']): KeptSigner {
  let starting: Promise<StartedSigner> | null = null;
  return {
    start: (to) =>
      (starting ??= begin(to).catch((error: unknown) => {
        starting = null;
        throw error;
      })),
    async stop() {
      const started = await starting?.catch(() => null);
      await started?.kept.stop();
    },
  };
}
