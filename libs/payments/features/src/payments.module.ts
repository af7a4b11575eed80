import { Module } from '@nestjs/common';
import { BuildTransactionHttp } from './build-transaction/build-transaction.http';
import { ConfirmOnCreditReactor } from './confirm-payment/confirm-on-credit.reactor';
import { CreatePaymentHttp } from './create-payment/create-payment.http';
import { AnswerDescribePayment } from './describe-payment/answer-describe-payment';
import { ExpireOnCloseReactor } from './expire-payment/expire-on-close.reactor';
import { FailOnSubmissionReactor } from './fail-payment/fail-on-submission.reactor';
import { GetPaymentHttp } from './get-payment/get-payment.http';
import { ListPaymentsHttp } from './list-payments/list-payments.http';
import { ListPaymentReceiptsHttp } from './list-receipts/list-payment-receipts.http';
import { ListReceiptsHttp } from './list-receipts/list-receipts.http';
import { GetPaymentStatusHttp } from './payment-status/get-payment-status.http';
import { PaymentStatuses } from './payment-status/payment-statuses';
import { RecordOnMoneyReactor } from './record-receipt/record-on-money.reactor';
import { SubmitGaslessTransactionHttp } from './submit-transaction/submit-gasless-transaction.http';
import { SubmitTransactionHttp } from './submit-transaction/submit-transaction.http';
import { TransactionRequestHttp } from './transaction-request/transaction-request.http';

@Module({
  controllers: [
    CreatePaymentHttp,
    GetPaymentHttp,
    GetPaymentStatusHttp,
    ListPaymentsHttp,
    ListPaymentReceiptsHttp,
    ListReceiptsHttp,
    BuildTransactionHttp,
    SubmitTransactionHttp,
    SubmitGaslessTransactionHttp,
    TransactionRequestHttp,
    ConfirmOnCreditReactor,
    ExpireOnCloseReactor,
    FailOnSubmissionReactor,
    RecordOnMoneyReactor,
  ],
  providers: [PaymentStatuses, AnswerDescribePayment],
})
export class PaymentsModule {}
