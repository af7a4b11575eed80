export { chainIndexerContext } from './chain-indexer.context';
