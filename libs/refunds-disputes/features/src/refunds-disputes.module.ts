import { Module } from '@nestjs/common';
import { CreateRefundHttp } from './create-refund/create-refund.http';
import { FollowRefundReactor } from './follow-refund/follow-refund.reactor';
import { GetRefundHttp } from './get-refund/get-refund.http';
import { ListPaymentRefundsHttp } from './list-payment-refunds/list-payment-refunds.http';
import { ListRefundsHttp } from './list-refunds/list-refunds.http';
import { RefundCanceledHoldReactor } from './refund-canceled-hold/refund-canceled-hold.reactor';
import { SendRefundReactor } from './send-refund/send-refund.reactor';

@Module({
  controllers: [
    ...[CreateRefundHttp, ListPaymentRefundsHttp, ListRefundsHttp, GetRefundHttp],
    ...[SendRefundReactor, FollowRefundReactor, RefundCanceledHoldReactor],
  ],
  providers: [],
})
export class RefundsDisputesModule {}
