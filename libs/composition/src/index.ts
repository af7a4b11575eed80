import { accountsContext } from '@tender/accounts-features';
import { billingContext } from '@tender/billing-features';
import { chainIndexerContext } from '@tender/chain-indexer-features';
import { checkoutContext } from '@tender/checkout-features';
import type { ContextName } from '@tender/contracts';
import { fraudContext } from '@tender/fraud-features';
import type { HostedContext } from '@tender/http';
import { paymentsContext } from '@tender/payments-features';
import { refundsDisputesContext } from '@tender/refunds-disputes-features';
import { sandboxContext } from '@tender/sandbox-features';
import { treasuryContext } from '@tender/treasury-features';
import { webhookDispatcherContext } from '@tender/webhook-dispatcher-features';

/** Whom an operator erases, and what of them is kept under no key of theirs. */
export { forgetCustomer, payerSubject } from '@tender/fraud-features';
export { paymentsOfCustomer } from '@tender/payments-features';

/** The whole program: what the process that does everything hosts, and what an operator's command knows. */
export const COMPOSITION: Readonly<Record<ContextName, HostedContext>> = {
  accounts: accountsContext,
  payments: paymentsContext,
  'chain-indexer': chainIndexerContext,
  'webhook-dispatcher': webhookDispatcherContext,
  sandbox: sandboxContext,
  fraud: fraudContext,
  treasury: treasuryContext,
  checkout: checkoutContext,
  billing: billingContext,
  'refunds-disputes': refundsDisputesContext,
};
