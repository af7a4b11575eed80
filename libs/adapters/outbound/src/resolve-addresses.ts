import { Resolver } from 'node:dns/promises';

/** Every IPv4 and IPv6 address of a name. Rejects when there is none, or when `signal` ends it. */
export type ResolveAddresses = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Asks the name servers themselves for A and AAAA. It uses neither the hosts file nor the thread pool, which
 * a few slow names would fill.
 */
export const resolveAddresses: ResolveAddresses = async (host, signal) => {
  const resolver = new Resolver({ timeout: 1000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw (answers[0] as PromiseRejectedResult).reason;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};
