import { Module } from '@nestjs/common';
import { CreateRefundHttp } from './create-refund/create-refund.http';
import { AnswerReadInbox } from './dispute-codes/answer-read-inbox';
import { RequestDisputeCodeHttp } from './dispute-codes/request-dispute-code.http';
import { FollowRefundReactor } from './follow-refund/follow-refund.reactor';
import { GetRefundHttp } from './get-refund/get-refund.http';
import { DisputesHttp } from './list-disputes/disputes.http';
import { ListPaymentRefundsHttp } from './list-payment-refunds/list-payment-refunds.http';
import { ListRefundsHttp } from './list-refunds/list-refunds.http';
import { OpenDisputeHttp } from './open-dispute/open-dispute.http';
import { RefundCanceledHoldReactor } from './refund-canceled-hold/refund-canceled-hold.reactor';
import { AdminResolveDisputeHttp } from './resolve-dispute/admin-resolve-dispute.http';
import { IssueDisputeRefundHttp } from './resolve-dispute/issue-dispute-refund.http';
import { RespondToDisputeHttp } from './respond-to-dispute/respond-to-dispute.http';
import { SendRefundReactor } from './send-refund/send-refund.reactor';

@Module({
  controllers: [
    ...[CreateRefundHttp, ListPaymentRefundsHttp, ListRefundsHttp, GetRefundHttp],
    ...[SendRefundReactor, FollowRefundReactor, RefundCanceledHoldReactor],
    ...[RequestDisputeCodeHttp, OpenDisputeHttp, DisputesHttp, RespondToDisputeHttp],
    ...[IssueDisputeRefundHttp, AdminResolveDisputeHttp],
  ],
  providers: [AnswerReadInbox],
})
export class RefundsDisputesModule {}
