import { Module } from '@nestjs/common';
import { RequestDisputeCodeHttp } from './dispute-codes/request-dispute-code.http';
import { DisputesHttp } from './list-disputes/disputes.http';
import { OpenDisputeHttp } from './open-dispute/open-dispute.http';
import { RespondToDisputeHttp } from './respond-to-dispute/respond-to-dispute.http';

@Module({
  controllers: [RequestDisputeCodeHttp, OpenDisputeHttp, DisputesHttp, RespondToDisputeHttp],
  providers: [],
})
export class RefundsDisputesModule {}
