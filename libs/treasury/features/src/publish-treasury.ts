import {
  operatingWalletFrozen,
  operatingWalletOpened,
  operatingWalletUnfrozen,
  transferCompleted,
  transferFailed,
  transferSigned,
} from '@tender/contracts';
import { publications, tells } from '@tender/eventing';
import type {
  OperatingWalletEvent,
  OutgoingTransferEvent,
  TransferTerms,
} from '@tender/treasury-domain';

const snapshotOf = (transfer: TransferTerms) => {
  const { transfer_id, type, merchant_id, from, to, asset, amount } = transfer;
  return { transfer_id, type, merchant_id, from, to, asset, amount };
};

/**
 * Others hear that a wallet is there, is stopped or goes on, and what leaves it. How it was made, and what signers have
 * refused, is treasury’s own.
 */
export const publishTreasury = publications<OperatingWalletEvent | OutgoingTransferEvent>({
  OperatingWalletBegun: 'private',
  CeremonyFailed: 'private',
  OperatingWalletOpened: tells(operatingWalletOpened, ({ data }) => {
    const { merchant_id, address: operating_wallet_address, opened_at } = data;
    return { merchant_id, operating_wallet_address, opened_at };
  }),
  SignersAlarmed: 'private',
  OperatingWalletFrozen: tells(operatingWalletFrozen, ({ data }) => {
    const { merchant_id, address, by, reason, signers, frozen_at } = data;
    const told = { merchant_id, operating_wallet_address: address, frozen_by: by, reason };
    return { ...told, signers: [...signers], frozen_at };
  }),
  OperatingWalletUnfrozen: tells(operatingWalletUnfrozen, ({ data }) => {
    const { merchant_id, address, unfrozen_at } = data;
    return { merchant_id, operating_wallet_address: address, unfrozen_at };
  }),
  OperatingWalletLimited: 'private',
  TransferRequested: 'private',
  TransferSigned: tells(transferSigned, ({ data: { transfer, signed } }) => ({
    transfer: snapshotOf(transfer),
    transaction_signature: signed.signature,
  })),
  TransferDropped: 'private',
  TransferCompleted: tells(transferCompleted, ({ data: { transfer, signature } }) => ({
    transfer: snapshotOf(transfer),
    transaction_signature: signature,
  })),
  TransferFailed: tells(transferFailed, ({ data: { transfer, reason, signature } }) => ({
    transfer: snapshotOf(transfer),
    failure_reason: reason,
    transaction_signature: signature,
  })),
  MarkerReclaimed: 'private',
});
