import type { HostedContext } from '@tender/http';
import { AddResolvedReceipts1764400000000 } from './add-resolved-receipts.migration';
import { CreatePaymentIntents1766400000000 } from './create-payment-intents.migration';
import { CreatePaymentLinks1764500000000 } from './create-payment-links.migration';
import { CreatePayments1763700000000 } from './create-payments.migration';
import { CreateSettlements1767000000000 } from './create-settlements.migration';
import { IndexPaidSignatures1766310000000 } from './index-paid-signatures.migration';
import { intentInvariants } from './invariants/intent-invariants';
import { linkInvariants } from './invariants/link-invariants';
import { paymentInvariants } from './invariants/payment-invariants';
import { receiptInvariants } from './invariants/receipt-invariants';
import { KeepPaymentsGenerations1764000000000 } from './keep-payments-generations.migration';
import { payment } from './payment-details/payment.aggregate';
import { expireIntents, paymentIntent } from './payment-intents/payment-intent.aggregate';
import { linkUses } from './payment-links/link-uses.projection';
import { linkUse, paymentLink } from './payment-links/payment-link.aggregate';
import { openPayments } from './payments';
import { publishPayments } from './publish-payments';
import { receipt } from './receipts/receipt.aggregate';
import { settlements } from './settlements/settlements.projection';
import { PaymentsModule } from './payments.module';
import { paymentSettings } from './settings';

/** Payments up to their settlement, links and intents that make them, and receipts of money that pays nothing. */
export const paymentsContext: HostedContext = {
  name: 'payments',
  schema: 'payments',
  migrations: [
    CreatePayments1763700000000,
    KeepPaymentsGenerations1764000000000,
    AddResolvedReceipts1764400000000,
    CreatePaymentLinks1764500000000,
    IndexPaidSignatures1766310000000,
    CreatePaymentIntents1766400000000,
    CreateSettlements1767000000000,
  ],
  open: openPayments,
  projections: [
    ...[payment.view, receipt.view, paymentLink.view],
    ...[linkUses, paymentIntent.view, settlements],
  ],
  timers: [expireIntents],
  invariants: [...paymentInvariants, ...linkInvariants, ...intentInvariants, ...receiptInvariants],
  publishes: {
    categories: [payment, receipt, paymentLink, linkUse, paymentIntent].flatMap(
      ({ categories }) => categories,
    ),
    publish: publishPayments,
  },
  module: PaymentsModule,
  settings: paymentSettings,
};
