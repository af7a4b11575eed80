import type { Call, Mode } from '@tender/kernel';
import { accountsRoutes } from './accounts';
import { accountsFacts } from './accounts.facts';
import { billingRoutes } from './billing';
import { billingFacts } from './billing.facts';
import {
  arrangeScreening,
  chainHealth,
  chainReached,
  describeMerchant,
  describePayment,
  readPayment,
  lookedFor,
  offerSponsorship,
  sanctionsHealth,
  checkSanctions,
  screenPayment,
  signingPasskey,
  sponsorPays,
  sponsorTransaction,
  withdrawSponsorship,
} from './calls';
import { checkoutRoutes } from './checkout';
import { chainIndexerFacts } from './chain-indexer.facts';
import { checkoutPagesRoutes, payByLink, showLink, showPayment, tellCustomer } from './checkout-pages';
import {
  addressSetting,
  CONTEXTS,
  serviceOf,
  SERVICES,
  type ContextName,
  type ServiceName,
} from './contexts';
import { gatherFacts, type Fact } from './fact';
import { fraudRoutes } from './fraud-admin';
import { fraudFacts } from './fraud.facts';
import { readDisputeInbox, readInbox } from './mail-calls';
import { closePaymentLink, inspectPayment, openPayment, openPaymentLink } from './payment-calls';
import { paymentIntentsRoutes } from './payment-intents';
import { paymentIntentsFacts } from './payment-intents.facts';
import { paymentLinksRoutes } from './payment-links';
import { paymentLinksFacts } from './payment-links.facts';
import { paymentTransactionRoutes } from './payment-transactions';
import { paymentsRoutes } from './payments';
import { paymentsFacts } from './payments.facts';
import { platformRoutes } from './platform';
import { receiptsFacts } from './receipts.facts';
import { refundsDisputesRoutes } from './refunds-disputes';
import { refundsDisputesFacts } from './refunds-disputes.facts';
import type { Route } from './route';
import { sandboxRoutes } from './sandbox';
import { settlementsRoutes } from './settlements';
import { settlementsFacts } from './settlements.facts';
import { payPeriod, showPlan, subscribeToPlan, subscriptionPagesRoutes } from './subscription-pages';
import { treasuryRoutes } from './treasury';
import {
  describeTransfer,
  operatingWallet,
  relayCeremony,
  requestTransfer,
  signerAIdentity,
} from './treasury-calls';
import { treasuryFacts } from './treasury.facts';
import { webhookRoutes } from './webhook-dispatcher';

/** What a context offers to clients and to the other contexts. */
export interface ContextContract {
  readonly routes: readonly Route[];
  /** Its public events. */
  readonly facts: readonly Fact[];
  /** Questions that it answers at once. */
  readonly calls: readonly Call<never, unknown>[];
}

/** Everything that contexts know of each other. What is not here does not exist outside its context. */
const CONTRACTS = {
  accounts: {
    ...{ routes: accountsRoutes, facts: accountsFacts },
    calls: [describeMerchant, signingPasskey],
  },
  payments: {
    routes: [
      ...[...paymentsRoutes, ...paymentLinksRoutes, ...paymentIntentsRoutes],
      ...[...checkoutRoutes, ...paymentTransactionRoutes, ...settlementsRoutes],
    ],
    facts: [
      ...[...paymentsFacts, ...settlementsFacts, ...receiptsFacts],
      ...[...paymentLinksFacts, ...paymentIntentsFacts],
    ],
    calls: [
      ...[describePayment, readPayment, showLink, showPayment, payByLink, tellCustomer],
      ...[openPayment, openPaymentLink, closePaymentLink, inspectPayment],
    ],
  },
  'chain-indexer': {
    ...{ routes: [], facts: chainIndexerFacts },
    calls: [chainReached, chainHealth, lookedFor],
  },
  'webhook-dispatcher': { routes: webhookRoutes, facts: [], calls: [] },
  sandbox: { routes: sandboxRoutes, facts: [], calls: [] },
  fraud: {
    ...{ routes: fraudRoutes, facts: fraudFacts },
    calls: [screenPayment, arrangeScreening, sanctionsHealth, checkSanctions],
  },
  treasury: {
    ...{ routes: treasuryRoutes, facts: treasuryFacts },
    calls: [
      ...[offerSponsorship, withdrawSponsorship, sponsorTransaction, sponsorPays],
      ...[operatingWallet, requestTransfer, describeTransfer],
      ...[signerAIdentity, relayCeremony],
    ],
  },
  checkout: {
    ...{ routes: [...checkoutPagesRoutes, ...subscriptionPagesRoutes], facts: [], calls: [] },
  },
  billing: {
    ...{ routes: billingRoutes, facts: billingFacts },
    calls: [readInbox, showPlan, subscribeToPlan, payPeriod],
  },
  'refunds-disputes': {
    ...{ routes: refundsDisputesRoutes, facts: refundsDisputesFacts },
    calls: [readDisputeInbox],
  },
} as const satisfies Record<ContextName, ContextContract>;

export const CATALOGUE: Readonly<Record<ContextName, ContextContract>> = CONTRACTS;

const NAMES = Object.keys(CONTEXTS) as ContextName[];

/** Any public event of any context. */
export type AnyFact = (typeof CONTRACTS)[ContextName]['facts'][number];

/** Every public event: AsyncAPI, webhooks and what `publish` may say all start here. */
export const allFacts = gatherFacts<readonly AnyFact[]>(
  NAMES.flatMap((name): readonly AnyFact[] => CONTRACTS[name].facts),
);

/** Every operation of every context: routing, limits, documents and the stranger test all start here. */
export const allRoutes: readonly Route[] = [
  ...NAMES.flatMap((name) => CATALOGUE[name].routes),
  ...platformRoutes,
];

/** A context with public events. Its topics are `<mode>.<context>.events`. */
export interface Speaker {
  readonly name: ContextName;
  readonly modes: readonly (Mode | 'all')[];
}

export const SPEAKERS: readonly Speaker[] = NAMES.filter(
  (name) => CATALOGUE[name].facts.length > 0,
).map((name) => ({ name, modes: CONTEXTS[name].modes }));

/** What a process of the distributed run knows of the catalogue. */
export interface HouseOf {
  /** Its service. */
  readonly name: ServiceName;
  /** The contexts that it hosts. */
  readonly hosts: readonly ContextName[];
  /** The routes of these. */
  readonly routes: readonly Route[];
  /** The contexts whose public events it can hear. */
  readonly speakers: readonly Speaker[];
  /** Every service, and the setting that names where the others reach it. */
  readonly addresses: ReadonlyMap<string, string>;
  /** The service that hosts the context of that name. */
  readonly hostOf: (context: string) => ServiceName;
  /** One of its contexts writes to people. */
  readonly sends_mail: boolean;
  /** One of its contexts has the shares of wallets signed with. */
  readonly asks_signers: boolean;
}

/** Which contexts write to people. */
const MAILING: readonly ContextName[] = ['accounts', 'billing', 'refunds-disputes'];
/** Which have wallets whose keys signers hold. */
const SIGNING: readonly ContextName[] = ['treasury'];

const addresses = new Map<string, string>(SERVICES.map((name) => [name, addressSetting(name)]));

export function houseOf(service: ServiceName): HouseOf {
  const hosts = NAMES.filter((name) => CONTEXTS[name].service === service);
  const routes = hosts.flatMap((name) => CATALOGUE[name].routes);
  const sends_mail = hosts.some((name) => MAILING.includes(name));
  const asks_signers = hosts.some((name) => SIGNING.includes(name));
  return {
    ...{ name: service, hosts, routes, sends_mail, asks_signers },
    ...{ speakers: SPEAKERS, addresses, hostOf: serviceOf },
  };
}
