/** Its progress says how far payments were heard: every payment recorded before is watched or parked. */
export const WATCH_PAYMENTS = 'chain-indexer.watch-payments';
