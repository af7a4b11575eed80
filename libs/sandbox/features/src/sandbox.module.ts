import { Module } from '@nestjs/common';
import { AdvanceClockHttp } from './advance-clock/advance-clock.http';
import { ArrangeScreeningHttp } from './arrange-screening/arrange-screening.http';
import { RatesHttp } from './change-rates/rates.http';
import { FaucetHttp } from './give-money/faucet.http';
import { PayPaymentHttp } from './pay-payment/pay-payment.http';
import { ReadEnvironmentHttp } from './read-environment/read-environment.http';
import { SendBackHttp } from './send-back/send-back.http';
import { EmailsHttp } from './show-inbox/emails.http';
import { InboxPageHttp } from './show-inbox/inbox-page.http';
import { SimulateHttp } from './simulate/simulate.http';

/** The test helpers of specification §5; mounted only where they are allowed. */
@Module({
  controllers: [
    ReadEnvironmentHttp,
    FaucetHttp,
    PayPaymentHttp,
    AdvanceClockHttp,
    RatesHttp,
    ArrangeScreeningHttp,
    SimulateHttp,
    SendBackHttp,
    EmailsHttp,
    InboxPageHttp,
  ],
})
export class SandboxModule {}
