import { Module } from '@nestjs/common';
import { BuildTransactionHttp } from './build-transaction/build-transaction.http';
import { CancelPaymentIntentHttp } from './cancel-payment-intent/cancel-payment-intent.http';
import { CapturePaymentIntentHttp } from './capture-payment-intent/capture-payment-intent.http';
import { CheckoutData } from './checkout-data/checkout-data';
import { GetCheckoutDataHttp } from './checkout-data/get-checkout-data.http';
import { SponsoredFees } from './checkout-data/sponsored-fees';
import { AnswerForms } from './checkout-pages/answer-forms';
import { AnswerShowPages } from './checkout-pages/answer-show-pages';
import { CollectCustomerInfoHttp } from './collect-customer-info/collect-customer-info.http';
import { ConfirmPaymentIntentHttp } from './confirm-payment-intent/confirm-payment-intent.http';
import { MakeConfirmedPaymentReactor } from './confirm-payment-intent/make-confirmed-payment.reactor';
import { ConfirmOnCreditReactor } from './confirm-payment/confirm-on-credit.reactor';
import { CreatePaymentIntentHttp } from './create-payment-intent/create-payment-intent.http';
import { CreatePaymentLinkHttp } from './create-payment-link/create-payment-link.http';
import { CreatePaymentHttp } from './create-payment/create-payment.http';
import { AnswerDescribePayment } from './describe-payment/answer-describe-payment';
import { AnswerReadPayment } from './get-payment/answer-read-payment';
import { ExpireOnCloseReactor } from './expire-payment/expire-on-close.reactor';
import { ExplainPaymentHttp } from './explain-payment/explain-payment.http';
import { FailOnSubmissionReactor } from './fail-payment/fail-on-submission.reactor';
import { FollowIntentPaymentReactor } from './follow-intent-payment/follow-intent-payment.reactor';
import { FollowLinkUsesReactor } from './follow-link-uses/follow-link-uses.reactor';
import { FollowSettlementReactor } from './follow-settlement/follow-settlement.reactor';
import { GetPaymentIntentHttp } from './get-payment-intent/get-payment-intent.http';
import { GetPaymentLinkHttp } from './get-payment-link/get-payment-link.http';
import { GetPaymentHttp } from './get-payment/get-payment.http';
import { AnswerInspectPayment } from './inspect-payment/answer-inspect-payment';
import { ListPaymentIntentEventsHttp } from './list-payment-intent-events/list-payment-intent-events.http';
import { ListPaymentIntentsHttp } from './list-payment-intents/list-payment-intents.http';
import { ListPaymentLinksHttp } from './list-payment-links/list-payment-links.http';
import { ListPaymentsHttp } from './list-payments/list-payments.http';
import { ListPaymentReceiptsHttp } from './list-receipts/list-payment-receipts.http';
import { ListReceiptsHttp } from './list-receipts/list-receipts.http';
import { ListSettlementsHttp } from './list-settlements/list-settlements.http';
import { AnswerClosePaymentLink } from './open-for-others/answer-close-payment-link';
import { AnswerOpenPayment } from './open-for-others/answer-open-payment';
import { MakeHeldPaymentReactor } from './pay-payment-link/make-held-payment.reactor';
import { PayByLink } from './pay-payment-link/pay-by-link';
import { PayPaymentLinkHttp } from './pay-payment-link/pay-payment-link.http';
import { GetPaymentStatusHttp } from './payment-status/get-payment-status.http';
import { PaymentStatuses } from './payment-status/payment-statuses';
import { StreamPaymentStatusHttp } from './payment-status/stream-payment-status.http';
import { AskOnRefundRequestedReactor } from './refund-receipt/ask-on-refund-requested.reactor';
import { EndOnTransferReactor } from './refund-receipt/end-on-transfer.reactor';
import { RecordOnMoneyReactor } from './record-receipt/record-on-money.reactor';
import { ResolveReceiptHttp } from './resolve-receipt/resolve-receipt.http';
import { RetrySettlementHttp } from './retry-settlement/retry-settlement.http';
import { SendSettlementReactor } from './send-settlement/send-settlement.reactor';
import { SettlePaymentReactor } from './settle-payment/settle-payment.reactor';
import { SubmitGaslessTransactionHttp } from './submit-transaction/submit-gasless-transaction.http';
import { SubmitTransactionHttp } from './submit-transaction/submit-transaction.http';
import { TransactionRequestHttp } from './transaction-request/transaction-request.http';

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
    BuildTransactionHttp,
    SubmitTransactionHttp,
    SubmitGaslessTransactionHttp,
    TransactionRequestHttp,
    CreatePaymentLinkHttp,
    GetPaymentLinkHttp,
    ListPaymentLinksHttp,
    PayPaymentLinkHttp,
    CreatePaymentIntentHttp,
    GetPaymentIntentHttp,
    ListPaymentIntentsHttp,
    ListPaymentIntentEventsHttp,
    ConfirmPaymentIntentHttp,
    CancelPaymentIntentHttp,
    CapturePaymentIntentHttp,
    ListSettlementsHttp,
    RetrySettlementHttp,
    GetCheckoutDataHttp,
    CollectCustomerInfoHttp,
    MakeHeldPaymentReactor,
    FollowLinkUsesReactor,
    MakeConfirmedPaymentReactor,
    FollowIntentPaymentReactor,
    SettlePaymentReactor,
    SendSettlementReactor,
    FollowSettlementReactor,
    ConfirmOnCreditReactor,
    ExpireOnCloseReactor,
    ResolveReceiptHttp,
    FailOnSubmissionReactor,
    RecordOnMoneyReactor,
    AskOnRefundRequestedReactor,
    EndOnTransferReactor,
  ],
  providers: [
    PaymentStatuses,
    PayByLink,
    SponsoredFees,
    CheckoutData,
    AnswerDescribePayment,
    AnswerReadPayment,
    AnswerInspectPayment,
    AnswerShowPages,
    AnswerForms,
    AnswerOpenPayment,
    AnswerClosePaymentLink,
  ],
})
export class PaymentsModule {}
