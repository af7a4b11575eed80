const BOTH = ['test', 'live'] as const;

/**
 * The bounded contexts of the program: the service whose process hosts each, what its streams keep apart (`all`:
 * test and live are one), and what is its own. Imports nothing, so that lint and scripts can load it before a build.
 */
export const CONTEXTS = {
  accounts: { service: 'gateway', modes: ['all'], owns: 'merchants, API keys, sessions, passkeys' },
  payments: { service: 'payments', modes: BOTH, owns: 'payments, links, intents, holds, settlements, receipts' },
  'chain-indexer': { service: 'chain-indexer', modes: BOTH, owns: 'watches, credits, cursors' },
  'webhook-dispatcher': {
    ...{ service: 'webhook-dispatcher', modes: BOTH },
    owns: 'endpoints, deliveries, the merchant event log',
  },
  sandbox: { service: 'gateway', modes: ['all'], owns: 'test helpers, the test clock' },
  fraud: { service: 'fraud', modes: BOTH, owns: 'rules, lists, scores, flags' },
  treasury: { service: 'treasury', modes: BOTH, owns: 'operating wallets, outgoing transfers, fee sponsorship' },
  checkout: {
    service: 'gateway',
    modes: ['all'],
    owns: 'the pages on which customers pay and subscribe',
  },
  billing: { service: 'billing', modes: BOTH, owns: 'plans, subscriptions, installments, invoices' },
  'refunds-disputes': { service: 'refunds-disputes', modes: BOTH, owns: 'refunds, disputes, their codes' },
} as const;

export type ContextName = keyof typeof CONTEXTS;
export type ServiceName = (typeof CONTEXTS)[ContextName]['service'];

/** The service that clients reach; it forwards to the others. */
export const GATEWAY: ServiceName = 'gateway';

/** Every service, each of which is a process of its own in the distributed run. */
export const SERVICES: readonly ServiceName[] = [
  ...new Set(Object.values(CONTEXTS).map(({ service }) => service)),
];

/** The service that hosts the context of that name. */
export const serviceOf = (context: string): ServiceName => CONTEXTS[context as ContextName].service;

/** The setting that names where a service is reached: `PAYMENTS_URL`. */
export const addressSetting = (service: string): string =>
  `${service.toUpperCase().replaceAll('-', '_')}_URL`;
