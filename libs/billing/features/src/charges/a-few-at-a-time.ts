/** As many as payments and accounts answer within their deadlines, however many charges fall due in one second. */
const AT_ONCE_MAX = 16;

/** Does the work for each, a few at a time. After a failure none is begun; it is thrown once those under way end. */
export async function aFewAtATime<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const failures: unknown[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE_MAX }, async () => {
      for (const item of waiting) {
        if (failures.length > 0) return;
        await work(item).catch((error: unknown) => failures.push(error));
      }
    }),
  );
  if (failures.length > 0) throw failures[0];
}
