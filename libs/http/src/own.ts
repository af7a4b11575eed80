import type { RequestContext } from '@tender/contracts';
import type { Known, Runtime, ViewedAggregate } from '@tender/eventing';
import type { AnyDecider, StateOf } from '@tender/kernel';
import { notFound } from './api-error';

/** The caller’s object; absent, foreign and of the other mode are one and the same 404. */
export async function own<Rules extends AnyDecider>(
  aggregate: ViewedAggregate<Rules>,
  runtime: Pick<Runtime, 'eventStore' | 'readModels'>,
  { merchant_id, mode, min_position }: RequestContext,
  id: string,
): Promise<Known<StateOf<Rules>>> {
  const state = await aggregate.read(runtime, mode, id, min_position);
  if (state === null || aggregate.merchantOf(state) !== merchant_id) throw notFound();
  return state;
}
