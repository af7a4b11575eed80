/** `test` and `live` share no stream, topic, key or RPC (M17). */
export const MODES = ['test', 'live'] as const;
export type Mode = (typeof MODES)[number];
