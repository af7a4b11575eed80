/** Ends as `work` does, or as `late` does once it has lasted `limit_ms`: nothing ends the work itself. */
export async function inTime<Result>(
  work: Promise<Result>,
  limit_ms: number,
  late: () => Result,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limit_ms);
  });
  try {
    return await Promise.race([work, limit.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
