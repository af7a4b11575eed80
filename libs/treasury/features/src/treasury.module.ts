import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { offerSponsorship, sponsorTransaction, withdrawSponsorship } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { MODES } from '@tender/kernel';
import { OfferSponsorship } from './offer-sponsorship/offer-sponsorship';
import { TREASURY_SETTINGS, type TreasurySettings } from './settings';
import { SponsorDesk } from './sponsor/desk';
import { SponsorTransaction } from './sponsor-transaction/sponsor-transaction';
import { SwitchSponsorHttp } from './switch-sponsor/switch-sponsor.http';
import { WithdrawSponsorship } from './withdraw-sponsorship/withdraw-sponsorship';

@Module({
  controllers: [SwitchSponsorHttp],
  providers: [SponsorDesk, OfferSponsorship, WithdrawSponsorship, SponsorTransaction],
})
export class TreasuryModule implements OnModuleInit {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Pick<Runtime, 'calls' | 'telemetry'>,
    @Inject(TREASURY_SETTINGS) private readonly settings: TreasurySettings,
    @Inject(SponsorDesk) private readonly desk: SponsorDesk,
    @Inject(OfferSponsorship) private readonly offers: OfferSponsorship,
    @Inject(WithdrawSponsorship) private readonly withdrawals: WithdrawSponsorship,
    @Inject(SponsorTransaction) private readonly transactions: SponsorTransaction,
  ) {}

  onModuleInit(): void {
    const { calls, telemetry } = this.runtime;
    calls.answer(offerSponsorship, (transfer, asked) => this.offers.offer(transfer, asked));
    calls.answer(withdrawSponsorship, (input, asked) => this.withdrawals.withdraw(input, asked));
    calls.answer(sponsorTransaction, (input, asked) => this.transactions.sponsor(input, asked));
    telemetry.watch('tender_sponsor_balance_lamports', async () => {
      const balances = MODES.map(async (mode) => {
        const key = this.settings.sponsors[mode];
        if (key === null) return [];
        return [{ value: Number(await this.desk.balanceOf(mode, key)), labels: { mode } }];
      });
      return (await Promise.all(balances)).flat();
    });
  }
}
