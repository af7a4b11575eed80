import type { Role } from '@tender/threshold';

/** Why a ceremony makes no wallet. Its text names no secret. */
export class CeremonyFailure extends Error {
  override readonly name = 'CeremonyFailure';

  constructor(
    readonly code: string,
    /** The party at fault, where it is known. */
    readonly culprit: Role | null,
    reason: string,
  ) {
    super(reason);
  }
}
