import type { ErrorCode, RequestContext } from '@tender/contracts';
import type { Known, Runtime, ViewedAggregate } from '@tender/eventing';
import { notFound } from '@tender/http';
import type { AnyDecider, StateOf } from '@tender/kernel';

/**
 * What a key’s merchant owns, or what a caller without a key names: from the stream then, which no write is ahead of.
 * Throws 404.
 */
export async function findForCaller<Rules extends AnyDecider>(
  aggregate: ViewedAggregate<Rules>,
  runtime: Pick<Runtime, 'eventStore' | 'readModels'>,
  { merchant_id, mode, asker, min_position }: RequestContext,
  id: string,
  not_found: ErrorCode,
): Promise<Known<StateOf<Rules>>> {
  const to_owner = isOwner({ asker });
  const known = to_owner
    ? await aggregate.read(runtime, mode, id, min_position)
    : await aggregate.load(runtime, mode, id);
  if (known === null) throw notFound(not_found);
  if (to_owner && aggregate.merchantOf(known) !== merchant_id) throw notFound(not_found);
  return known;
}

/** Of what such a caller finds. */
export const isOwner = ({ asker }: Pick<RequestContext, 'asker'>): boolean =>
  asker.kind !== 'public';
