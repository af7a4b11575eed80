/** `postgres://tender@127.0.0.1:5432/postgres`: without password, and without options, which may hold one. */
export function databaseAddress(url: string): string {
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`;
}

/** `esdb+discover://one:2113,two:2113`. What is not a plain list of hosts is not shown at all: it may be a password. */
export function eventStoreAddress(url: string): string {
  const [, scheme = '', rest = ''] = /^([a-z+]+):\/\/(.*)$/s.exec(url) ?? [];
  const hosts = /^[\w.:,[\]-]+(?=$|[/?])/.exec(rest.slice(rest.lastIndexOf('@') + 1))?.[0];
  return `${scheme}://${hosts ?? '(not shown)'}`;
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Both lead to one server, as far as names tell. */
export function isSameServer(url: string, other: string): boolean {
  const [one, another] = [new URL(url), new URL(other)];
  const port = (place: URL): string => place.port || '5432';
  if (port(one) !== port(another)) return false;
  const are_here = [one, another].every(({ hostname }) => LOOPBACK.has(hostname));
  return are_here || one.hostname === another.hostname;
}
