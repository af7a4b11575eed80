import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { replicaAt, type Replica, type ReplicaOptions } from './replica';

/** Every address of a host name. Rejects when there is none. */
export type LookUp = (host: string) => Promise<readonly string[]>;

/** As every other program of the machine finds it, its hosts file included. */
export const lookUpAddresses: LookUp = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** The replicas of one service: each address behind each of its URLs. */
export interface Replicas {
  known(): readonly Replica[];
  /**
   * Looks all names up, unless that began less than `kept_ms` ago or is under way. The answer is why a name could
   * not be looked up, or null; the replicas that were known by it stay.
   */
  look(kept_ms: number): Promise<Error | null>;
  close(): Promise<void>;
}

export interface ReplicasOptions extends Pick<ReplicaOptions, 'seal' | 'ticks'> {
  readonly urls: readonly string[];
  readonly lookUp: LookUp;
}

export function replicasOf({ urls, lookUp, seal, ticks }: ReplicasOptions): Replicas {
  const sites = urls.map((url) =>
    siteOf(url, (address) => replicaAt({ url, address, seal, ticks })),
  );
  const named = sites.filter(({ host }) => host !== null);
  const leaving = new Set<Replica>();
  let known = sites.flatMap(({ replicas }) => [...replicas.values()]);
  let under_way = false;
  let began = -Infinity;
  let last: Promise<Error | null> = Promise.resolve(null);
  let closed = false;

  return {
    known: () => known,
    look(kept_ms) {
      if (named.length === 0 || under_way || ticks() - began < kept_ms) return last;
      under_way = true;
      began = ticks();
      last = lookAll().finally(() => (under_way = false));
      return last;
    },
    async close() {
      closed = true;
      await Promise.all([...known, ...leaving].map((replica) => replica.close()));
    },
  };

  async function lookAll(): Promise<Error | null> {
    const faults = await Promise.all(named.map(renew));
    known = sites.flatMap(({ replicas }) => [...replicas.values()]);
    return faults.find((fault) => fault !== null) ?? null;
  }

  async function renew({ host, replicas, open }: Site): Promise<Error | null> {
    try {
      const found = new Set(oneEach(await lookUp(host as string)));
      if (closed) return null;
      for (const [address, replica] of replicas) {
        if (found.has(address)) continue;
        replicas.delete(address);
        letLeave(replica);
      }
      for (const address of found) {
        if (!replicas.has(address)) replicas.set(address, open(address));
      }
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  function letLeave(replica: Replica): void {
    leaving.add(replica);
    const gone = () => leaving.delete(replica);
    void replica.leave().then(gone, gone);
  }
}

/** One configured URL. */
interface Site {
  /** The name to look up; null: the URL is one replica. */
  readonly host: string | null;
  readonly open: (address: string | null) => Replica;
  /** By address; the one without a name has none. */
  readonly replicas: Map<string, Replica>;
}

function siteOf(url: string, open: Site['open']): Site {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  // This machine is one, though its name may have an address of each kind.
  const is_one = isIP(host) !== 0 || host === 'localhost';
  return { host: is_one ? null : host, open, replicas: new Map(is_one ? [['', open(null)]] : []) };
}

/**
 * A process may be reached by IPv4 and by IPv6, and must not count twice. IPv4 where there is any: all services
 * listen there.
 */
function oneEach(addresses: readonly string[]): readonly string[] {
  const old = addresses.filter((address) => isIP(address) === 4);
  return old.length > 0 ? old : addresses;
}
