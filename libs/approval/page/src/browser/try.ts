/** Does a piece of work; what it throws becomes words of the page, and nothing waits any more. */
export type Try = (work: () => Promise<void>) => Promise<void>;
