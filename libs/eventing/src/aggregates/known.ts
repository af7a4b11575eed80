/** The state of an object that there is: an aggregate that has not begun is `unknown`, if it has a word for that. */
export type Known<State> = Exclude<State, { readonly status: 'unknown' }>;

export const isKnown = <State>(state: State): state is Known<State> =>
  (state as { readonly status?: unknown } | null)?.status !== 'unknown';
