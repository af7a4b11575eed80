import { OfLeader, type Runtime } from '@tender/eventing';
import type { OpenContext } from '@tender/http';
import { invariant, MODES } from '@tender/kernel';
import { FollowSponsoredWorker } from './follow-sponsored/follow-sponsored.worker';
import { OperatingWallets } from './operating-wallet/operating-wallets';
import { thresholdCustody } from './operating-wallet/threshold-custody';
import { CUSTODY, type Custody } from './outgoing-transfer/custody';
import { ReclaimMarkersWorker } from './reclaim-markers/reclaim-markers.worker';
import { SendTransfersWorker } from './send-transfers/send-transfers.worker';
import type { TransferDesk } from './send-transfers/transfer-desk';
import { TREASURY_SETTINGS, type TreasurySettings } from './settings';
import { countAlarmsFromZero } from './signing/alarm-codes';
import { TREASURY, type Treasury } from './treasury.token';

/** What answers and loops share in one process. */
export function openTreasury(
  runtime: Runtime,
  wallets = new OperatingWallets(runtime),
  custody: Custody = thresholdCustody(runtime, wallets),
): Required<OpenContext> {
  countAlarmsFromZero(runtime);
  const leading = new OfLeader<Treasury>('treasury');
  let settings: TreasurySettings | null = null;
  return {
    providers: [
      { provide: TREASURY, useValue: leading },
      { provide: OperatingWallets, useValue: wallets },
      { provide: CUSTODY, useValue: custody },
      // The workers have settings from the time that the application has started.
      {
        provide: Symbol('treasury settings, read'),
        useFactory: (read: TreasurySettings) => (settings = read),
        inject: [TREASURY_SETTINGS],
      },
    ],
    beginTerm() {
      invariant(settings, 'the application starts before its work');
      const followers = {
        test: new FollowSponsoredWorker(runtime, 'test'),
        live: new FollowSponsoredWorker(runtime, 'live'),
      };
      const desks = desksOf(runtime, custody, settings);
      const senders = desks.map((desk) => {
        return { mode: desk.mode, sender: new SendTransfersWorker(desk) };
      });
      leading.begin({
        followSponsored: (mode) => followers[mode].wake(),
        sendTransfer: (mode, transfer_id) =>
          senders.find((one) => one.mode === mode)?.sender.tell(transfer_id),
      });
      const workers = [
        ...Object.values(followers),
        ...senders.map(({ sender }) => sender),
        ...desks.map((desk) => new ReclaimMarkersWorker(desk)),
      ];
      return { workers, hearing: {}, end: () => leading.end() };
    },
  };
}

/** Of each mode whose fee wallet is named. */
const desksOf = (
  runtime: Runtime,
  custody: Custody,
  { payouts: { keys, lamports_day } }: TreasurySettings,
): readonly TransferDesk[] =>
  MODES.flatMap((mode) => {
    const key = keys[mode];
    return key === null ? [] : [{ runtime, mode, custody, key, lamports_day }];
  });
