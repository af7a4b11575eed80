/** Its progress is a time: every operating wallet and every transaction that leaves one is known, or parked. */
export const WATCH_OPERATING_WALLETS = 'chain-indexer.watch-operating-wallets';
