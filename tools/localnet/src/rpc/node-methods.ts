import type { MethodTable } from './chain-node';
import { API_VERSION } from './chain-node';
import { FIRST_SLOT, heightOf } from '../ledger/genesis';
import { commitmentOf, fieldsOf } from './params';

const SLOTS_PER_EPOCH = 432_000;
const NOBODY = '11111111111111111111111111111111';

/** The node itself, and where the chain stands. */
export const nodeMethods: MethodTable = {
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': API_VERSION, 'feature-set': 0 }),
  getIdentity: () => ({ identity: NOBODY }),
  getGenesisHash: ({ ledger }) => ledger.genesis.hash,
  getClusterNodes: () => [],
  getSlotLeader: () => NOBODY,
  getFirstAvailableBlock: () => FIRST_SLOT,
  minimumLedgerSlot: () => FIRST_SLOT,
  getSlot: ({ ledger }, [config]) => ledger.newestSlot(commitmentOf(fieldsOf(config))),
  getBlockHeight: ({ ledger }, [config]) =>
    heightOf(ledger.newestSlot(commitmentOf(fieldsOf(config)))),
  getTransactionCount: ({ ledger }) => ledger.history.size,
  getEpochInfo: ({ ledger }, [config]) => {
    const absoluteSlot = ledger.newestSlot(commitmentOf(fieldsOf(config)));
    return {
      absoluteSlot,
      blockHeight: heightOf(absoluteSlot),
      epoch: Math.floor(absoluteSlot / SLOTS_PER_EPOCH),
      slotIndex: absoluteSlot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: ledger.history.size,
    };
  },
  getEpochSchedule: () => ({
    slotsPerEpoch: SLOTS_PER_EPOCH,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    warmup: false,
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
  }),
};
