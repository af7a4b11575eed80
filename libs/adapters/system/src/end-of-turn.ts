/** Runs `work` once all is taken in that this turn of the event loop has read. */
export const atEndOfTurn = (work: () => void): void => void setImmediate(work);
