import type { Scenario } from '../bench';
import { append } from './append';
import { boot } from './boot';
import { buildSubmit } from './build-submit';
import { chargesDue } from './charges-due';
import { confirmBurst } from './confirm-burst';
import { confirmLatency } from './confirm-latency';
import {
  createPayment,
  createPaymentDistributed,
  createPaymentEventStore,
} from './create-payment';
import { growth } from './growth';
import { indexerBlock } from './indexer-block';
import { invoiceNumbers } from './invoice-numbers';
import { memory } from './memory';
import { newCustomers } from './new-customers';
import { overload } from './overload';
import { payLink } from './pay-link';
import { paymentPage } from './payment-page';
import { peers } from './peers';
import { peersAppend } from './peers-append';
import { peersIndexer } from './peers-indexer';
import { catchup, rebuild } from './rebuild';
import { refund } from './refund';
import { relay } from './relay';
import { rest } from './rest';
import { screening, screeningDistributed } from './screening';
import { signatures } from './signatures';
import { statusPoll } from './status-poll';
import { statusStreams } from './status-streams';
import { subscriptionsMemory } from './subscriptions-memory';
import { subscriptionYear } from './subscription-year';
import { webhooks } from './webhooks';

export const SCENARIOS: readonly Scenario[] = [
  createPayment,
  createPaymentDistributed,
  createPaymentEventStore,
  peers,
  peersAppend,
  peersIndexer,
  screening,
  screeningDistributed,
  newCustomers,
  payLink,
  invoiceNumbers,
  chargesDue,
  subscriptionYear,
  subscriptionsMemory,
  buildSubmit,
  paymentPage,
  statusPoll,
  statusStreams,
  append,
  signatures,
  refund,
  webhooks,
  indexerBlock,
  confirmLatency,
  confirmBurst,
  memory,
  boot,
  overload,
  relay,
  rebuild,
  catchup,
  growth,
  rest,
];
