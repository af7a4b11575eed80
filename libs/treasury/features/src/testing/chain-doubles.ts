import { Unavailable, type Chain, type FinalView } from '@tender/eventing';

const ASKED = [
  ...['accounts', 'finalViews', 'latestBlockhash', 'recentUnitPrices'],
  ...['send', 'simulate', 'transaction'],
] as const satisfies readonly (keyof Chain)[];

/** The chain as a test wants it to look for a while. */
export function changeable(chain: () => Chain) {
  let changes: Partial<Chain> = {};
  const through = (name: (typeof ASKED)[number]) =>
    async (...given: never[]): Promise<unknown> => {
      const asked = (changes[name] ?? chain()[name].bind(chain())) as (...all: never[]) => unknown;
      return asked(...given);
    };
  return {
    chain: Object.fromEntries(ASKED.map((name) => [name, through(name)])) as Partial<Chain>,
    /** From now on; nothing: as it is. */
    look: (now: Partial<Chain> = {}) => void (changes = now),
  };
}

const gone = (): Promise<never> =>
  Promise.reject(new Unavailable('the chain', { reason: 'no endpoint answers' }));

/** No node answers anything. */
export const LOST: Partial<Chain> = Object.fromEntries(ASKED.map((name) => [name, gone]));

/** What nodes show, changed by a test. */
export const showing =
  (chain: () => Chain, change: (views: readonly FinalView[]) => readonly FinalView[]) =>
  async (...asked: Parameters<Chain['finalViews']>): Promise<readonly FinalView[]> =>
    change(await chain().finalViews(...asked));

/** A node that knows no transaction; what accounts it shows is true. */
export const withoutStatuses = (view: FinalView): FinalView => ({
  ...view,
  statuses: view.statuses.map(() => null),
});

/** A node that knows neither transactions nor accounts. */
export const withNothing = (view: FinalView): FinalView => ({
  ...withoutStatuses(view),
  accounts: view.accounts.map(() => null),
});
