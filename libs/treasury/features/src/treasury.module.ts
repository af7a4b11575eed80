import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import {
  offerSponsorship,
  SPONSOR_KEY_FILES,
  sponsorPays,
  sponsorTransaction,
  withdrawSponsorship,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { MODES, type Mode } from '@tender/kernel';
import { OfferSponsorship } from './offer-sponsorship/offer-sponsorship';
import { TREASURY_SETTINGS, type TreasurySettings } from './settings';
import { SponsorDesk } from './sponsor/desk';
import { SponsorTransaction } from './sponsor-transaction/sponsor-transaction';
import { withdraw } from './withdraw-sponsorship/withdraw-sponsorship';
import { SwitchSponsorHttp } from './switch-sponsor/switch-sponsor.http';

@Module({
  controllers: [SwitchSponsorHttp],
  providers: [SponsorDesk, OfferSponsorship, SponsorTransaction],
})
export class TreasuryModule implements OnModuleInit {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(TREASURY_SETTINGS) private readonly settings: TreasurySettings,
    @Inject(SponsorDesk) private readonly desk: SponsorDesk,
    @Inject(OfferSponsorship) private readonly offers: OfferSponsorship,
    @Inject(SponsorTransaction) private readonly transactions: SponsorTransaction,
  ) {}

  onModuleInit(): void {
    const { calls, telemetry } = this.runtime;
    for (const mode of MODES) this.tellOf(mode);
    calls.answer(offerSponsorship, (transfer, asked) => this.offers.offer(transfer, asked));
    calls.answer(withdrawSponsorship, ({ payment_id }, asked) =>
      withdraw(this.runtime, payment_id, asked),
    );
    calls.answer(sponsorTransaction, (input, asked) => this.transactions.sponsor(input, asked));
    calls.answer(sponsorPays, async (_, { mode }) => ({
      pays: await this.desk.paysIn(mode as Mode),
    }));
    telemetry.watch('tender_sponsor_balance_lamports', async () => {
      const balances = MODES.map(async (mode) => {
        const key = this.settings.sponsors[mode];
        if (key === null) return [];
        return [{ value: Number(await this.desk.balanceOf(mode, key)), labels: { mode } }];
      });
      return (await Promise.all(balances)).flat();
    });
  }

  /** Nothing else shows it: where there is no sponsor, gasless builds are answered with direct ones. */
  private tellOf(mode: Mode): void {
    const { log } = this.runtime;
    const key = this.settings.sponsors[mode];
    if (key) return log.info({ mode, sponsor: key.address }, 'fees of gasless payments are paid');
    const setting = SPONSOR_KEY_FILES[mode];
    log.warn({ mode, setting }, 'no sponsor: customers pay all fees until the setting names a key file');
  }
}
