import { WAITS_FOR_OPERATOR, type ReadModels } from '@tender/eventing';
import { CommandFault } from '../faults';
import { readParked, type ParkedId } from './read-parked';

// The consumer looks for what is due every half a minute at the latest, and tries what waits in order.
const dueIn = (schema: string): string => `update ${schema}.parked set next_try_at = now()`;

/** Sets a message due. What waits behind another one has its turn after that one. */
export async function retryParked(readModels: ReadModels, id: ParkedId): Promise<void> {
  const { consumer } = await readParked(readModels, id);
  const due = await readModels.query(
    `${dueIn(id.schema)}
      where id = $1 and ${WAITS_FOR_OPERATOR} returning 1`,
    [id.number],
  );
  if (due.length > 0) return;
  throw new CommandFault(
    `${id.schema}:${id.number} does not wait for an operator: ${consumer} tries it by itself, ` +
      'after what waits before it.',
  );
}

/** Sets everything due that waits for an operator; answers how many messages that are. */
export async function retryConsumer(
  readModels: ReadModels,
  schema: string,
  consumer: string,
): Promise<number> {
  const due = await readModels.query(
    `${dueIn(schema)}
      where consumer = $1 and ${WAITS_FOR_OPERATOR} returning 1`,
    [consumer],
  );
  return due.length;
}

export interface Dropping {
  readonly reason: string;
  readonly dropped_by: string;
}

/** Gives a message up, and keeps what it was. */
export async function dropParked(
  readModels: ReadModels,
  id: ParkedId,
  { reason, dropped_by }: Dropping,
): Promise<void> {
  await readModels.transaction(async (tx) => {
    await readParked(tx, id);
    const dropped = await tx.query(
      `with dropped as (delete from ${id.schema}.parked where id = $1 returning *)
        insert into ${id.schema}.parked_dropped
          (id, consumer, mode, key, position, message, tries, error, parked_at, reason, dropped_by)
        select id, consumer, mode, key, position, message, tries, error, parked_at, $2, $3
        from dropped returning 1`,
      [id.number, reason, dropped_by],
    );
    if (dropped.length === 0) {
      throw new CommandFault(`${id.schema}:${id.number} was handled at this moment: nothing to drop.`);
    }
  });
}
