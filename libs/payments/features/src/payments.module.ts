import { Module } from '@nestjs/common';
import { ConfirmOnCreditReactor } from './confirm-payment/confirm-on-credit.reactor';
import { CreatePaymentHttp } from './create-payment/create-payment.http';
import { AnswerDescribePayment } from './describe-payment/answer-describe-payment';
import { ExpireOnCloseReactor } from './expire-payment/expire-on-close.reactor';
import { ExplainPaymentHttp } from './explain-payment/explain-payment.http';
import { GetPaymentHttp } from './get-payment/get-payment.http';
import { ListPaymentsHttp } from './list-payments/list-payments.http';
import { ListPaymentReceiptsHttp } from './list-receipts/list-payment-receipts.http';
import { ListReceiptsHttp } from './list-receipts/list-receipts.http';
import { GetPaymentStatusHttp } from './payment-status/get-payment-status.http';
import { PaymentStatuses } from './payment-status/payment-statuses';
import { StreamPaymentStatusHttp } from './payment-status/stream-payment-status.http';
import { RecordOnMoneyReactor } from './record-receipt/record-on-money.reactor';
import { ResolveReceiptHttp } from './resolve-receipt/resolve-receipt.http';

@Module({
  controllers: [
    CreatePaymentHttp,
    GetPaymentHttp,
    ExplainPaymentHttp,
    GetPaymentStatusHttp,
    StreamPaymentStatusHttp,
    ListPaymentsHttp,
    ListPaymentReceiptsHttp,
    ListReceiptsHttp,
    ConfirmOnCreditReactor,
    ExpireOnCloseReactor,
    ResolveReceiptHttp,
    RecordOnMoneyReactor,
  ],
  providers: [PaymentStatuses, AnswerDescribePayment],
})
export class PaymentsModule {}
