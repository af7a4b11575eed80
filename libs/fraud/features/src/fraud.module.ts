import { Module } from '@nestjs/common';
import { AnswerArrangeScreening } from './arrange-screening/answer-arrange-screening';
import { BlockListHttp } from './block-list/block-list.http';
import { ListFlagsHttp } from './flags/list-flags.http';
import { ReadStatsHttp } from './flags/read-stats.http';
import { ResolveFlagHttp } from './flags/resolve-flag.http';
import { RulesHttp } from './rules/rules.http';
import { AnswerScreenPayment } from './screen-payment/answer-screen-payment';
import { AnswerCheckSanctions } from './sanctions/answer-check-sanctions';
import { AnswerSanctionsHealth } from './sanctions/answer-sanctions-health';
import { RememberPayingWallets } from './screen-payment/remember-paying-wallets.reactor';

@Module({
  controllers: [
    ListFlagsHttp,
    ReadStatsHttp,
    ResolveFlagHttp,
    RulesHttp,
    BlockListHttp,
    RememberPayingWallets,
  ],
  providers: [
    ...[AnswerScreenPayment, AnswerArrangeScreening],
    ...[AnswerCheckSanctions, AnswerSanctionsHealth],
  ],
})
export class FraudModule {}
