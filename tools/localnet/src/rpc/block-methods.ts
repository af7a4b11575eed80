import { heightOf } from '../ledger/genesis';
import type { Commitment } from '../ledger/ledger-settings';
import { withContext, type ChainNode, type MethodTable } from './chain-node';
import {
  addressOf, commitmentOf, confirmedAtLeast, fieldsOf, fieldsOrEncoding, integerOf, isFields,
} from './params';
import { renderOf, transactionInBlock } from './render-transaction';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error';

const RANGE_SLOTS_MAX = 500_000;
const BLOCK_DETAILS: readonly unknown[] = ['full', 'accounts', 'signatures', 'none'];

function checkBlock({ ledger }: ChainNode, slot: number, commitment: Commitment): void {
  const { firstSlot } = ledger.timeline;
  if (slot > ledger.newestSlot(commitment)) {
    throw new RpcError(RPC_CODES.blockNotAvailable, `Block not available for slot ${slot}`);
  }
  if (slot < firstSlot) {
    throw new RpcError(
      RPC_CODES.blockCleanedUp,
      `Block ${slot} cleaned up, does not exist on node. First available block: ${firstSlot}`,
    );
  }
  if (!ledger.timeline.isBlock(slot)) {
    throw new RpcError(
      RPC_CODES.slotSkipped,
      `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
    );
  }
}

/** A block in the form of getBlock. */
export function renderBlock(node: ChainNode, slot: number, config: unknown) {
  const fields = fieldsOrEncoding(config);
  checkBlock(node, slot, confirmedAtLeast(fields));
  const { ledger } = node;
  const entries = ledger.history.inSlot(slot);
  const { transactionDetails = 'full', rewards } = fields;
  if (!BLOCK_DETAILS.includes(transactionDetails)) {
    throw invalidParams('Invalid params: transactionDetails is full, accounts, signatures or none');
  }
  const render = renderOf(fields);
  return {
    blockHeight: heightOf(slot),
    blockTime: ledger.blockTime(slot),
    blockhash: ledger.hashes.of(slot),
    parentSlot: ledger.timeline.parentOf(slot) ?? slot - 1,
    previousBlockhash: ledger.hashes.parentHashOf(slot),
    ...(rewards === false ? {} : { rewards: [] }),
    ...(transactionDetails === 'signatures'
      ? { signatures: entries.map(({ signature }) => signature) }
      : {}),
    ...(transactionDetails === 'full' || transactionDetails === 'accounts'
      ? {
          transactions: entries.map((entry) =>
            transactionInBlock(ledger, entry, render, transactionDetails),
          ),
        }
      : {}),
  };
}

function slotsOf(node: ChainNode, start: number, end: number | null, config: unknown): number[] {
  const newest = node.ledger.newestSlot(confirmedAtLeast(fieldsOf(config)));
  const last = Math.min(end ?? start + RANGE_SLOTS_MAX, newest);
  if (last - start > RANGE_SLOTS_MAX) {
    throw invalidParams(`Slot range too large; max ${RANGE_SLOTS_MAX}`);
  }
  return node.ledger.timeline.blocksBetween(start, last);
}

/** Blocks, their times and their hashes. */
export const blockMethods: MethodTable = {
  getBlock: (node, [slot, config]) => renderBlock(node, integerOf(slot, 'slot'), config),
  getBlockTime: (node, [slot]) => {
    checkBlock(node, integerOf(slot, 'slot'), 'confirmed');
    return node.ledger.blockTime(integerOf(slot, 'slot'));
  },
  getBlocks: (node, [start, second, third]) => {
    const hasEnd = !isFields(second) && second !== null && second !== undefined;
    const end = hasEnd ? integerOf(second, 'end slot') : null;
    return slotsOf(node, integerOf(start, 'start slot'), end, hasEnd ? third : (third ?? second));
  },
  getBlocksWithLimit: (node, [start, limit, config]) => {
    if (integerOf(limit, 'limit') > RANGE_SLOTS_MAX) {
      throw invalidParams(`Limit too large; max ${RANGE_SLOTS_MAX}`);
    }
    const newest = node.ledger.newestSlot(confirmedAtLeast(fieldsOf(config)));
    const from = integerOf(start, 'start slot');
    return node.ledger.timeline.blocksBetween(from, newest, integerOf(limit, 'limit'));
  },
  getLatestBlockhash: (node, [config]) => {
    const commitment = commitmentOf(fieldsOf(config));
    // Its life is one of blocks: they come as fast as on any chain while it lasts.
    node.ledger.wake(node.ledger.settings.blockhashBlocks);
    const slot = node.ledger.newestSlot(commitment);
    return withContext(node, commitment, {
      blockhash: node.ledger.hashes.of(slot),
      lastValidBlockHeight: heightOf(slot) + node.ledger.settings.blockhashBlocks,
    });
  },
  isBlockhashValid: (node, [hash, config]) => {
    const valid = node.ledger.slotOfUsableHash(addressOf(hash)) !== null;
    return withContext(node, commitmentOf(fieldsOf(config)), valid);
  },
};
