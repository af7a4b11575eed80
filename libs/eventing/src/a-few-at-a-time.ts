import { isOutage } from './ports/failures';

/** As many as other contexts answer within their deadlines, however many things are to be done in one second. */
const AT_ONCE_MAX = 32;

/**
 * Does the work for each, a few at a time. One that fails keeps none behind it from its turn: the first failure is
 * thrown once all are done. Where a part does not answer at all none is begun any more, as each would wait for the
 * same deadline: a batch then lasts as long as one answer may take, and the database’s transaction around it with it.
 */
export async function aFewAtATime<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const failures: unknown[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE_MAX }, async () => {
      for (const item of waiting) {
        await work(item).catch((error: unknown) => failures.push(error));
        if (failures.some(isOutage)) return;
      }
    }),
  );
  if (failures.length > 0) throw failures.find(isOutage) ?? failures[0];
}
