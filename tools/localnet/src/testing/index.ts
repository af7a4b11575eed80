export { ChainClient, ChainThere, STILL_SLOT_MS } from './chain-client';
