export { recoveryParty } from './ceremony/recovery-party';
export { ChainNodes } from './chain/chain-nodes';
export type { RpcNode } from './chain/rpc-node';
export { SignerChain } from './chain/signer-chain';
export { ledgerPool } from './ledger/ledger-pool';
export { LedgerRefused, openLedger } from './ledger/open-ledger';
export { peerOf, SILENT, type SignerLog, type SignerParts } from './service/ports';
export { signerService, type SignerService } from './service/signer-service';
