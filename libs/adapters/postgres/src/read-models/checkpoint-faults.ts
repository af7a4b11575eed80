import { Unavailable } from '@tender/eventing';

/** Another process took the follower over: whatever this one still does with it must fail. */
export class TakenOver extends Unavailable {
  constructor(
    follower: string,
    /** By a swap of generations, which leaves it to any process that follows. */
    readonly released = false,
  ) {
    super(follower, { reason: 'another process follows in its place' });
  }
}

/** The checkpoint is not where its follower left it: the database was set back, or a commit's answer was lost. */
export class CheckpointMoved extends Unavailable {
  constructor(follower: string) {
    super(follower, { reason: 'its checkpoint is not where it was left' });
  }
}
