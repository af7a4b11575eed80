export { MINTS } from './ledger/genesis';
export { startLocalnet } from './localnet';
export type { Localnet, LocalnetNetwork, LocalnetNetworks, LocalnetOptions } from './localnet';
export { localnetIn, spawnLocalnet } from './spawn-localnet';
export type { SpawnedLocalnet, SpawnOptions } from './spawn-localnet';
export { callRpc, RpcFailure } from './call-rpc';
