import { isGone, type Runtime } from '@tender/eventing';
import { leaseOwners, releaseExpired, releaseOwned, releaseUnattempted } from './release-leases';

/** Twice an attempt's longest life. Wall time. */
export const LEASE_MS = 30_000;
const REAP_EVERY_MS = 5000;

/** The leases of one sender: what it holds, no other process attempts. */
export class Leases {
  private reaped_at = 0;

  /** `routes_owner` holds what the routes of this process attempt. */
  constructor(
    private readonly runtime: Pick<Runtime, 'readModels' | 'clock'>,
    readonly owner: string,
    private readonly routes_owner: string,
  ) {}

  /** Gives back what processes of this machine held that are no more. */
  async releaseOfGone(): Promise<void> {
    const { readModels } = this.runtime;
    const here = [this.owner, this.routes_owner];
    const owners = await leaseOwners(readModels);
    await releaseOwned(
      readModels,
      owners.filter((owner) => isGone(owner, here)),
    );
  }

  /** Gives back what this sender has claimed and did not attempt. */
  async release(deliveries: readonly { readonly id: string }[]): Promise<void> {
    const ids = deliveries.map(({ id }) => id);
    await releaseUnattempted(this.runtime.readModels, this.owner, ids);
  }

  async releaseAll(): Promise<void> {
    await releaseOwned(this.runtime.readModels, [this.owner]);
  }

  /** Gives back what any sender did not finish in time; looks every few seconds. False when there was nothing. */
  async reap(): Promise<boolean> {
    const wall = this.runtime.clock.wall();
    if (wall - this.reaped_at < REAP_EVERY_MS) return false;
    this.reaped_at = wall;
    return releaseExpired(this.runtime.readModels, wall);
  }
}
