import type { SignerCode } from '@tender/threshold';

/** One condition that must hold before a share is given. */
export interface Guard<Seen> {
  readonly code: SignerCode;
  /** What holds of everything that passes, as a sentence. */
  readonly rule: string;
  readonly holds: (seen: Seen) => boolean;
}

/** Each guard says one thing that no other one says: specs remove them one by one, and each time an attack passes. */
export const guard = <Seen>(
  code: SignerCode,
  rule: string,
  holds: (seen: Seen) => boolean,
): Guard<Seen> => ({ code, rule, holds });

/** The first guard that does not hold; those behind it may rely on those before. */
export const brokenGuard = <Seen>(guards: readonly Guard<Seen>[], seen: Seen): Guard<Seen> | null =>
  guards.find(({ holds }) => !holds(seen)) ?? null;
