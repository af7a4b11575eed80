import { STANDING, type Replica } from './replica';

/** Which replica is asked next. What it knows of them it has from their answers. */
export interface Choice {
  /** For one request: the next replica that has not been asked; null when all were. */
  begin(asked: ReadonlySet<Replica>, of_leader: boolean): () => Replica | null;
  /**
   * Among how many replicas the rest of a request's time is shared when this one is asked: one that hangs must
   * leave time for the others. Of a question for the leader, the one that leads has all of it: no other could answer.
   */
  shares(replica: Replica, asked: ReadonlySet<Replica>, of_leader: boolean): number;
  /** It has answered a question for the leader. */
  noteLeader(replica: Replica): void;
}

/** The leader if it is well, then by standing, then by turns. */
export function choiceOf(known: () => readonly Replica[]): Choice {
  let turns = 0;
  let leader: Replica | null = null;

  return {
    begin(asked, of_leader) {
      // Its own: other requests take turns while this one waits, and it must not ask a replica twice.
      const turn = (turns += 1);
      return () => next(asked, turn, of_leader ? leader : null);
    },
    shares(replica, asked, of_leader) {
      if (of_leader && replica === leader && isWell(replica)) return 1;
      const others = known().filter((other) => !asked.has(other));
      // At least the one that is asked, which may rest as they all do.
      return Math.max(1, others.filter((other) => other.standing() !== STANDING.resting).length);
    },
    noteLeader(replica) {
      leader = replica;
    },
  };

  function next(
    asked: ReadonlySet<Replica>,
    turn: number,
    preferred: Replica | null,
  ): Replica | null {
    const all = known();
    let best: Replica | null = null;
    let lowest = Infinity;
    for (let place = 0; place < all.length; place += 1) {
      const replica = all[(turn + place) % all.length] as Replica;
      if (asked.has(replica)) continue;
      if (replica === preferred && isWell(replica)) return replica;
      const standing = replica.standing();
      if (standing >= lowest) continue;
      best = replica;
      lowest = standing;
    }
    return best;
  }
}

const isWell = (replica: Replica): boolean => replica.standing() === STANDING.well;
