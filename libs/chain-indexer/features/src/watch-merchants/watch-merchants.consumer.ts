export const WATCH_MERCHANTS = 'chain-indexer.watch-merchants';
