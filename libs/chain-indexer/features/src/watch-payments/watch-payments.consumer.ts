/** Its progress is a time: every payment recorded before it is watched or parked. */
export const WATCH_PAYMENTS = 'chain-indexer.watch-payments';
