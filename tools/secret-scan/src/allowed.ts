/** A text that looks like a secret and is none. Another text of the same form in the same file is still found. */
export interface Allowed {
  readonly path: string;
  /** As the scan prints it. */
  readonly fingerprint: string;
  readonly why: string;
}

export const ALLOWED: readonly Allowed[] = [
  {
    path: 'apps/cli/src/identity/addresses.spec.ts',
    fingerprint: '764f648dbfb76ea9',
    why: 'an address that is shown without its password; only in the history, and there is no such server',
  },
  {
    path: 'apps/cli/src/identity/addresses.spec.ts',
    fingerprint: '56b57970bc0602c6',
    why: 'an address that is shown without its password; only in the history, and there is no such server',
  },
  {
    path: 'apps/cli/src/identity/addresses.spec.ts',
    fingerprint: 'ba7c8f77b142e04b',
    why: 'an address that is shown without its password; only in the history, and there is no such server',
  },
  {
    path: 'apps/cli/src/identity/addresses.spec.ts',
    fingerprint: 'd173f19824c4ef33',
    why: 'an address that is shown without its password; only in the history, and there is no such server',
  },
  {
    path: 'apps/cli/src/identity/addresses.spec.ts',
    fingerprint: '30374ebd0f0d76e0',
    why: 'an address that is shown without its password; only in the history, and there is no such server',
  },
  {
    path: 'apps/scenarios/src/stories/bad-input.scenario.ts',
    fingerprint: '7ddcba9e3e77c3b7',
    why: 'a webhook address that is refused because it names a user',
  },
  {
    path: 'docs/operations.md',
    fingerprint: 'e9892c7c4eb44876',
    why: 'an example without a password, where dots stand for it; only in the history',
  },
  {
    path: 'libs/adapters/eventstoredb/src/client-connection.ts',
    fingerprint: '368da707d2e0bf3b',
    why: 'the form of a connection string, in words',
  },
  {
    path: 'libs/adapters/eventstoredb/src/event-store-db.ts',
    fingerprint: '368da707d2e0bf3b',
    why: 'the form of a connection string, in words',
  },
  {
    path: 'libs/adapters/eventstoredb/src/server-faults.slice.spec.ts',
    fingerprint: '0fd9708b45c0e054',
    why: 'a canary for errors and logs; the double has no users',
  },
  {
    path: 'libs/adapters/eventstoredb/src/server-faults.slice.spec.ts',
    fingerprint: 'd4d130539475437c',
    why: 'a canary in a connection string that is refused',
  },
  {
    path: 'libs/adapters/outbound/src/destination.spec.ts',
    fingerprint: 'fbddae166ead16d1',
    why: 'a webhook address that is refused because it names a user',
  },
  {
    path: 'libs/adapters/system/src/json-log.spec.ts',
    fingerprint: '9160cdde66273a1c',
    why: 'shaped as a webhook secret, to see it leave the log; made for the spec',
  },
  {
    path: 'libs/adapters/system/src/json-log.spec.ts',
    fingerprint: '5a000b6ed861c83b',
    why: 'a password to see leave the log; there is no such database',
  },
  {
    path: 'libs/contracts/src/field-rules.spec.ts',
    fingerprint: '7ddcba9e3e77c3b7',
    why: 'a page that is refused because its address names a user',
  },
  {
    path: 'libs/payments/features/src/create-payment-link/link-body.spec.ts',
    fingerprint: '7ddcba9e3e77c3b7',
    why: 'a page that is refused because its address names a user',
  },
  {
    path: 'libs/runtime/src/settings/mail-settings.spec.ts',
    fingerprint: 'd4e18ea69bcfa26a',
    why: 'a mail server that is refused for its address; only in the history, and there is no such server',
  },
  {
    path: 'libs/runtime/src/settings/mail-settings.spec.ts',
    fingerprint: 'e90e9931518d07ee',
    why: 'a mail server that is refused for its address; only in the history, and there is no such server',
  },
  {
    path: 'libs/runtime/src/settings/mail-settings.spec.ts',
    fingerprint: '056850c4ce9d6271',
    why: 'a mail server that is refused for its address; only in the history, and there is no such server',
  },
  {
    path: 'libs/runtime/src/settings/service-settings.spec.ts',
    fingerprint: '095b2d4b86218caa',
    why: 'a setting to read; there is no such database',
  },
  {
    path: 'libs/runtime/src/settings/service-settings.spec.ts',
    fingerprint: '411bf0fbc2305e29',
    why: 'a setting that is refused for its scheme',
  },
  {
    path: 'libs/runtime/src/settings/service-settings.spec.ts',
    fingerprint: 'ed8b2f1d41f8a524',
    why: 'a setting that is refused for its scheme',
  },
];
