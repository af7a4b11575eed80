import { STANDS_BY, Unavailable, type InternalSeal } from '@tender/eventing';
import { invariant } from '@tender/kernel';
import { mayGoElsewhere, type ServiceAnswer, type ServiceRequest } from './exchange';
import { STANDING, type Replica } from './replica';
import { lookUpAddresses, replicasOf, type LookUp } from './replicas';

/** One service of the program, as its replicas are reached from another process. */
export interface ServiceClient {
  /**
   * The answer of one replica. One that cannot be connected to, or only stands by where the leader is
   * asked, leaves it to the next; where the request may be repeated, so does one that fails, and all are asked
   * again until its deadline. Throws `Unavailable` when none answers in time: then the outcome is unknown.
   * Who did not answer is asked last for a while, by later requests.
   */
  send(request: ServiceRequest): Promise<ServiceAnswer>;
  /** The answers of all replicas that can be connected to. */
  sendToEach(request: ServiceRequest): Promise<readonly ServiceAnswer[]>;
  close(): Promise<void>;
}

export interface ServiceClientOptions {
  /** `payments` */
  readonly service: string;
  /** Origins: each is a replica, or by its name all replicas whose addresses the name has. */
  readonly urls: readonly string[];
  readonly seal: InternalSeal;
  readonly lookUp?: LookUp;
  /** Milliseconds that never go back. */
  readonly ticks?: () => number;
}

/** Addresses are used this long before they are looked up again, beside the requests. */
const LOOK_EVERY_MS = 5_000;
/** While a replica cannot be reached; no sooner, since every request would. */
const LOOK_AGAIN_MS = 1_000;
/** Before replicas that have all been asked are asked again, where the request may be repeated. */
const REPEAT_MS = 100;
/** Of a service that does not believe the seal. */
const NOT_BELIEVED = 401;
/** Of a replica that lacks something, such as its database: another one may have it. */
const UNABLE = 503;
const STRANGERS = 'it does not believe this process: do INTERNAL_SECRET and the clocks agree?';

export function serviceClient({
  service,
  urls,
  seal,
  lookUp = lookUpAddresses,
  ticks = () => performance.now(),
}: ServiceClientOptions): ServiceClient {
  invariant(urls.length > 0, `${service} has an address`);
  const replicas = replicasOf({ urls, lookUp, seal, ticks });
  let turn = 0;
  let leader: Replica | null = null;

  return {
    async send(request) {
      const until = ticks() + request.deadline_ms;
      // Its own: other requests take turns while this one waits, and it must not ask a replica twice.
      const first = (turn += 1);
      const asked = new Set<Replica>();
      const next = () => firstOf(replicas.known(), asked, first, request.of_leader ? leader : null);
      let reason = 'no replica is known';
      void replicas.look(LOOK_EVERY_MS);
      for (;;) {
        let replica = next();
        if (!replica) {
          const fault = await inTime(until - ticks(), replicas.look(LOOK_AGAIN_MS));
          if (fault && asked.size === 0) reason = fault.message;
          replica = next();
        }
        const left_ms = until - ticks();
        if (!replica && request.may_repeat && left_ms > REPEAT_MS) {
          await pause(REPEAT_MS);
          asked.clear();
          continue;
        }
        if (!replica || left_ms <= 0) throw new Unavailable(service, { reason });
        const is_known_leader = replica === leader && replica.standing() === STANDING.well;
        // One that hangs must leave time for the others; the one that leads is all there is.
        const shares = request.may_repeat && !is_known_leader ? candidates(asked) : 1;
        asked.add(replica);
        try {
          const answer = await replica.ask({ ...request, deadline_ms: left_ms / shares });
          if (answer.status === NOT_BELIEVED) throw new Error(STRANGERS);
          if (request.may_repeat && answer.status === UNABLE) throw new Error('it was unable to');
          const leads = answer.status !== STANDS_BY;
          if (request.of_leader && leads) leader = replica;
          if (leads) return answer;
          reason = 'no replica leads';
        } catch (error) {
          if (!request.may_repeat && !mayGoElsewhere(error)) throw unavailable(error);
          reason = String((error as Error).message);
          void replicas.look(LOOK_AGAIN_MS);
        }
      }
    },
    async sendToEach(request) {
      const fault = await inTime(request.deadline_ms, replicas.look(0));
      if (fault) throw unavailable(fault);
      const answers = await Promise.all(
        replicas.known().map((replica) =>
          replica.ask(request).catch((error: unknown) => {
            if (mayGoElsewhere(error)) return null;
            throw unavailable(error);
          }),
        ),
      );
      return answers.filter((answer) => answer !== null);
    },
    close: () => replicas.close(),
  };

  /** How many are worth asking that have not been asked; at least one. */
  function candidates(asked: ReadonlySet<Replica>): number {
    const others = replicas.known().filter((replica) => !asked.has(replica));
    const well = others.filter((replica) => replica.standing() !== STANDING.resting);
    return Math.max(1, well.length);
  }

  function unavailable(cause: unknown): Unavailable {
    return new Unavailable(service, { cause, reason: String((cause as Error).message) });
  }
}

const pause = (delay_ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, delay_ms);
  });

/** The leader if it is well, then by standing, then by turns; none when all were asked. */
function firstOf(
  known: readonly Replica[],
  asked: ReadonlySet<Replica>,
  turn: number,
  leader: Replica | null,
): Replica | null {
  let best: Replica | null = null;
  let lowest = Infinity;
  for (let place = 0; place < known.length; place += 1) {
    const replica = known[(turn + place) % known.length] as Replica;
    if (asked.has(replica)) continue;
    const standing = replica.standing();
    if (replica === leader && standing === STANDING.well) return replica;
    if (standing >= lowest) continue;
    best = replica;
    lowest = standing;
  }
  return best;
}

/** Names are looked up by the machine, which may take its time. */
async function inTime(
  deadline_ms: number,
  looking: Promise<Error | null>,
): Promise<Error | null> {
  let late: NodeJS.Timeout | undefined;
  const ended = new Promise<Error>((resolve) => {
    const waits_ms = Math.max(0, deadline_ms);
    late = setTimeout(() => resolve(new Error('its name was not looked up in time')), waits_ms);
  });
  try {
    return await Promise.race([looking, ended]);
  } finally {
    clearTimeout(late);
  }
}
