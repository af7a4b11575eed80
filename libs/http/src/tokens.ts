/** Nest injection tokens: the `Runtime`, and those that only the sandbox asks for. */
export const RUNTIME = 'tender:runtime';
export const STAGE = 'tender:stage';
export const LOCAL_CHAIN = 'tender:local-chain';
export const RATE_TABLE = 'tender:rate-table';
