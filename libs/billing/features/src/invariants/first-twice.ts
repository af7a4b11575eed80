/** The first value that was there before; null where each is there once. */
export const firstTwice = <Value>(values: readonly Value[]): Value | null =>
  values.find((value, at) => values.indexOf(value) < at) ?? null;
