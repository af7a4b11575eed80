import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import {
  describeTransfer,
  offerSponsorship,
  operatingWallet,
  PAYOUT_FEE_KEY_FILES,
  relayCeremony,
  requestTransfer,
  signerAIdentity,
  SPONSOR_KEY_FILES,
  sponsorPays,
  sponsorTransaction,
  withdrawSponsorship,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { done, MODES, type Mode } from '@tender/kernel';
import type { FeeKey } from './fee-key';
import { FreezeOperatingWalletHttp } from './freeze-operating-wallet/freeze-operating-wallet.http';
import { KeepHeldMoneyReactor } from './held-money/keep-held-money.reactor';
import { LimitOperatingWalletHttp } from './limit-operating-wallet/limit-operating-wallet.http';
import { Transfers } from './outgoing-transfer/request-transfer';
import { OfferSponsorship } from './offer-sponsorship/offer-sponsorship';
import { OperatingWallets } from './operating-wallet/operating-wallets';
import { shownWallet } from './operating-wallet/shown-wallet';
import { relayToSignerA } from './passkey-ceremony/relay-ceremony';
import { CreatePasskeyChallengeHttp } from './passkey-challenges/create-passkey-challenge.http';
import { PinPasskeyHttp } from './pin-passkeys/pin-passkey.http';
import { PinPasskeysReactor } from './pin-passkeys/pin-passkeys.reactor';
import { TREASURY_SETTINGS, type TreasurySettings } from './settings';
import { SponsorDesk } from './sponsor/desk';
import { SponsorTransaction } from './sponsor-transaction/sponsor-transaction';
import { UnfreezeOperatingWalletHttp } from './unfreeze-operating-wallet/unfreeze-operating-wallet.http';
import { withdraw } from './withdraw-sponsorship/withdraw-sponsorship';
import { SwitchSponsorHttp } from './switch-sponsor/switch-sponsor.http';

@Module({
  controllers: [
    ...[SwitchSponsorHttp, FreezeOperatingWalletHttp, CreatePasskeyChallengeHttp],
    ...[UnfreezeOperatingWalletHttp, LimitOperatingWalletHttp, PinPasskeysReactor, PinPasskeyHttp],
    KeepHeldMoneyReactor,
  ],
  providers: [SponsorDesk, OfferSponsorship, SponsorTransaction, Transfers],
})
export class TreasuryModule implements OnModuleInit {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(TREASURY_SETTINGS) private readonly settings: TreasurySettings,
    @Inject(SponsorDesk) private readonly desk: SponsorDesk,
    @Inject(OfferSponsorship) private readonly offers: OfferSponsorship,
    @Inject(SponsorTransaction) private readonly transactions: SponsorTransaction,
    @Inject(OperatingWallets) private readonly wallets: OperatingWallets,
    @Inject(Transfers) private readonly transfers: Transfers,
  ) {}

  onModuleInit(): void {
    const { calls, telemetry } = this.runtime;
    for (const mode of MODES) {
      this.tellOf(mode);
      this.tellOfPayouts(mode);
    }
    calls.answer(offerSponsorship, (transfer, asked) => this.offers.offer(transfer, asked));
    calls.answer(withdrawSponsorship, ({ payment_id }, asked) =>
      withdraw(this.runtime, payment_id, asked),
    );
    calls.answer(sponsorTransaction, (input, asked) => this.transactions.sponsor(input, asked));
    calls.answer(sponsorPays, async (_, { mode }) => ({
      pays: await this.desk.paysIn(mode as Mode),
    }));
    calls.answer(operatingWallet, async ({ merchant_id }, { mode }) => {
      const opened = await this.wallets.open(mode as Mode, merchant_id);
      return opened.ok ? done(opened.value && shownWallet(opened.value)) : opened;
    });
    calls.answer(requestTransfer, (input, asked) => this.transfers.request(input, asked));
    calls.answer(describeTransfer, ({ transfer_id }, asked) =>
      this.transfers.describe(transfer_id, asked),
    );
    calls.answer(signerAIdentity, async () => {
      const { signers } = this.runtime;
      return signers && { identity_key: signers.identity_keys.A };
    });
    calls.answer(relayCeremony, (step) => relayToSignerA(this.runtime, step));
    const { sponsors, payouts } = this.settings;
    telemetry.watch('tender_sponsor_balance_lamports', () => this.balancesOf(sponsors));
    telemetry.watch('tender_payout_fee_balance_lamports', () => this.balancesOf(payouts.keys));
  }

  private async balancesOf(keys: Readonly<Record<Mode, FeeKey | null>>) {
    const balances = MODES.map(async (mode) => {
      const key = keys[mode];
      if (key === null) return [];
      return [{ value: Number(await this.desk.balanceOf(mode, key)), labels: { mode } }];
    });
    return (await Promise.all(balances)).flat();
  }

  /** Nothing else shows it: where there is no sponsor, gasless builds are answered with direct ones. */
  private tellOf(mode: Mode): void {
    const { log } = this.runtime;
    const key = this.settings.sponsors[mode];
    if (key) return log.info({ mode, sponsor: key.address }, 'fees of gasless payments are paid');
    const setting = SPONSOR_KEY_FILES[mode];
    log.warn({ mode, setting }, 'no sponsor: customers pay all fees until the setting names a key file');
  }

  private tellOfPayouts(mode: Mode): void {
    const { log } = this.runtime;
    const key = this.settings.payouts.keys[mode];
    if (key) return log.info({ mode, fee_wallet: key.address }, 'outgoing transfers are paid');
    const setting = PAYOUT_FEE_KEY_FILES[mode];
    log.warn({ mode, setting }, 'no fee wallet: nothing leaves an operating wallet until the setting names a key file');
  }
}
