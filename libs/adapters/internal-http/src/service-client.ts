import { inTime, STANDS_BY, Unavailable, type Delays, type InternalSeal } from '@tender/eventing';
import { invariant } from '@tender/kernel';
import { choiceOf } from './choice';
import { mayGoElsewhere, type ServiceAnswer, type ServiceRequest } from './exchange';
import type { Replica } from './replica';
import { lookUpAddresses, replicasOf, type LookUp } from './replicas';

/**
 * One service of the program, as its replicas are reached from another process. The client chooses the replica
 * by itself, for what a load balancer in front of the replicas cannot know:
 * - which of them leads. Only their answers say it, and a question for the leader must reach that one: of three
 *   replicas, a balancer would bring two questions of three to one that stands by (ADR 0012).
 * - whether a request may go on to another replica. One that was heard may not, unless it may be repeated (E7);
 *   the process that sends it knows both. So requests that any replica answers go on while one is away, and one
 *   that hangs costs a request now and then, until it answers again.
 * - who all of them are: the test clock moves each (`sendToEach`).
 */
export interface ServiceClient {
  /**
   * The answer of one replica. One that cannot be connected to, or only stands by where the leader is
   * asked, leaves it to the next; where the request may be repeated, so does one that fails, and all are asked
   * again until its deadline. Throws `Unavailable` when none answers in time: then the outcome is unknown.
   * A replica that did not answer is the last one that later requests ask, for a while.
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
  readonly delays: Delays;
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
  delays,
  lookUp = lookUpAddresses,
  ticks = () => performance.now(),
}: ServiceClientOptions): ServiceClient {
  invariant(urls.length > 0, `${service} has an address`);
  const replicas = replicasOf({ urls, lookUp, seal, ticks });
  const choice = choiceOf(() => replicas.known());

  return {
    async send(request) {
      const until = ticks() + request.deadline_ms;
      const asked = new Set<Replica>();
      const { of_leader = false } = request;
      const next = choice.begin(asked, of_leader);
      let reason = 'no replica is known';
      void replicas.look(LOOK_EVERY_MS);
      for (;;) {
        let replica = next();
        if (!replica) {
          const fault = await lookedUp(replicas.look(LOOK_AGAIN_MS), until - ticks());
          if (fault && asked.size === 0) reason = fault.message;
          replica = next();
        }
        const left_ms = until - ticks();
        if (!replica && request.may_repeat && left_ms > REPEAT_MS) {
          await new Promise<void>((resolve) => delays.after(REPEAT_MS, resolve));
          asked.clear();
          continue;
        }
        if (!replica || left_ms <= 0) throw new Unavailable(service, { reason });
        const shares = request.may_repeat ? choice.shares(replica, asked, of_leader) : 1;
        asked.add(replica);
        try {
          const answer = await replica.ask({ ...request, deadline_ms: left_ms / shares });
          if (answer.status === NOT_BELIEVED) throw new Error(STRANGERS);
          if (request.may_repeat && answer.status === UNABLE) throw new Error('it was unable to');
          const leads = answer.status !== STANDS_BY;
          if (of_leader && leads) choice.noteLeader(replica);
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
      const fault = await lookedUp(replicas.look(0), request.deadline_ms);
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

  /** Names are looked up by the machine, which may take its time. */
  function lookedUp(looking: Promise<Error | null>, wait_ms: number): Promise<Error | null> {
    return inTime(delays, looking, wait_ms, () => new Error('its name was not looked up in time'));
  }

  function unavailable(cause: unknown): Unavailable {
    return new Unavailable(service, { cause, reason: String((cause as Error).message) });
  }
}
