import { VersionedMessage } from '@solana/web3.js';
import type { HistoryEntry } from '../ledger/history';
import { feeOf } from '../wire/decoded-transaction';
import { withContext, type ChainNode, type MethodTable } from './chain-node';
import {
  addressOf, bytesOf, commitmentOf, confirmedAtLeast, fieldsOf, fieldsOrEncoding, integerOf,
  listOf, signatureOf,
} from './params';
import { renderOf, renderTransaction, statusOf } from './render-transaction';
import { invalidParams } from './rpc-error';

const STATUSES_MAX = 256;
const SIGNATURES_MAX = 1_000;
const FEE_SLOTS = 150;
const FEE_ADDRESSES_MAX = 128;

function statusIn({ ledger }: ChainNode, entry: HistoryEntry | undefined) {
  const level = entry && ledger.levelOf(entry.slot);
  if (!entry || !level) return null;
  const newest = ledger.newestSlot('processed');
  return {
    slot: entry.slot,
    confirmations: level === 'finalized' ? null : newest - entry.slot,
    err: entry.error,
    status: statusOf(entry.error),
    confirmationStatus: level,
  };
}

/** What happened: transactions by signature and by address. */
export const historyMethods: MethodTable = {
  getSignatureStatuses: (node, [signatures]) => {
    const statuses = listOf(signatures, STATUSES_MAX).map((signature) =>
      statusIn(node, node.ledger.history.get(signatureOf(signature))),
    );
    return withContext(node, 'processed', statuses);
  },
  getTransaction: ({ ledger }, [signature, config]) => {
    const fields = fieldsOrEncoding(config);
    const newestSlot = ledger.newestSlot(confirmedAtLeast(fields));
    const render = renderOf(fields);
    const entry = ledger.history.get(signatureOf(signature));
    if (!entry || entry.slot > newestSlot) return null;
    const { slot } = entry;
    return { blockTime: ledger.blockTime(slot), slot, ...renderTransaction(ledger, entry, render) };
  },
  getSignaturesForAddress: ({ ledger }, [address, config]) => {
    const fields = fieldsOf(config);
    const { before, until } = fields;
    const limit = integerOf(fields['limit'] ?? SIGNATURES_MAX, 'limit');
    if (limit < 1 || limit > SIGNATURES_MAX) {
      throw invalidParams(`Invalid limit; max ${SIGNATURES_MAX}`);
    }
    const page = {
      before: before === undefined || before === null ? undefined : signatureOf(before),
      until: until === undefined || until === null ? undefined : signatureOf(until),
      limit,
      newestSlot: ledger.newestSlot(confirmedAtLeast(fields)),
    };
    return ledger.history.ofAddress(addressOf(address), page).map((entry) => ({
      signature: entry.signature,
      slot: entry.slot,
      err: entry.error,
      memo: entry.memo,
      blockTime: ledger.blockTime(entry.slot),
      confirmationStatus: ledger.levelOf(entry.slot),
    }));
  },
  getFeeForMessage: (node, [bytes, config]) => {
    let message: VersionedMessage;
    try {
      message = VersionedMessage.deserialize(bytesOf(bytes, 'base64'));
    } catch (error) {
      throw invalidParams(`failed to deserialize VersionedMessage: ${String(error)}`);
    }
    const usable = node.ledger.slotOfUsableHash(message.recentBlockhash) !== null;
    const fee = usable ? Number(feeOf(message)) : null;
    return withContext(node, commitmentOf(fieldsOf(config)), fee);
  },
  getRecentPrioritizationFees: ({ ledger }, [addresses]) => {
    listOf(addresses ?? [], FEE_ADDRESSES_MAX).forEach(addressOf);
    const newest = ledger.newestSlot('processed');
    const slots = ledger.timeline.blocksBetween(newest - FEE_SLOTS + 1, newest);
    // Transactions do not compete for blocks here, so the lowest fee that landed is always none.
    return slots.map((slot) => ({ slot, prioritizationFee: 0 }));
  },
};
