import { Module } from '@nestjs/common';
import { AnswerScreenPayment } from './screen-payment/answer-screen-payment';
import { RememberPayingWallets } from './screen-payment/remember-paying-wallets.reactor';

@Module({
  controllers: [RememberPayingWallets],
  providers: [AnswerScreenPayment],
})
export class FraudModule {}
