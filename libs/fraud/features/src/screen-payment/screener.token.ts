/** Screens in this process: `Screener`. */
export const SCREENER = Symbol('screener');
