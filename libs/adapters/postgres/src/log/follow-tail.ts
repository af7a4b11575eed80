import type { Follower, FollowOptions, Log } from '@tender/eventing';
import { realDelays } from '../connections/real-delays';
import type { LogTail } from './log-tail';
import type { ReadingSide } from './reading-side';

const LOOK_AGAIN_MS = 500;

/** Followers of a log that is also written elsewhere: how far it goes is what this place has heard. */
export function followTail(reading: ReadingSide, tail: LogTail, log: Log) {
  const { reader } = reading;

  return (followed: FollowOptions): Follower => {
    const from = Number(followed.from ?? 0);
    const end = {
      mark: () => tail.mark(),
      // The log may have come further than is known here.
      head: () => Math.max(tail.head, from),
    };
    const follower = reading.follow(end, followed);
    tail.followersChanged();
    if (from > tail.head) void stopIfPastTheEnd(follower, followed.name, from);
    return {
      ...follower,
      async idle() {
        // What is committed by now elsewhere counts as well.
        tail.heard(await reader.newest());
        await follower.idle();
      },
      stop: () => leave(follower),
    };
  };

  function leave(follower: Follower): Promise<void> {
    const left = follower.stop();
    tail.followersChanged();
    return left;
  }

  /** It would skip what is appended up to its checkpoint. */
  async function stopIfPastTheEnd(follower: Follower, name: string, from: number) {
    const newest = await reader.newest().catch(() => null);
    if (newest === null) {
      realDelays.after(LOOK_AGAIN_MS, () => void stopIfPastTheEnd(follower, name, from));
      return;
    }
    tail.heard(newest);
    if (from <= newest) return;
    log.error(
      { follower: name, from, newest },
      'a follower is past the end of the log (a log restored from an older copy?) and is stopped',
    );
    await leave(follower);
  }
}
