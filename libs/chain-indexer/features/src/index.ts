export { chainIndexerContext } from './chain-indexer.context';
export { ChainIndexerModule } from './chain-indexer.module';
export { chainIndexerWorkers } from './chain-indexer-workers';
