export { chainIndexerContext } from './chain-indexer.context';
export { restartChain } from './move-cursor/restart-chain';
