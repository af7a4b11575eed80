/** Nest injection token of the `Runtime`. */
export const RUNTIME = 'tender:runtime';
