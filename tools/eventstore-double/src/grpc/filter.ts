import type { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import { unimplemented } from './failures';

/** Which streams a read is about. */
export function filterOf(options: ReadReq.Options): (stream: string) => boolean {
  const filter = options.getFilter();
  if (!filter) return () => true;
  const expression = filter.getStreamIdentifier();
  if (!expression) throw unimplemented('a filter by event type');
  const prefixes = expression.getPrefixList();
  if (prefixes.length > 0) return (stream) => prefixes.some((prefix) => stream.startsWith(prefix));
  const pattern = new RegExp(expression.getRegex());
  return (stream) => pattern.test(stream);
}
