import type { Runtime } from '@tender/eventing';
import type { OpenContext } from '@tender/http';
import { invariant } from '@tender/kernel';
import { RefreshList } from './sanctions/refresh-list.worker';
import { ForgetScreenings } from './screen-payment/forget-screenings.worker';
import { Screener } from './screen-payment/screener';
import { SCREENER } from './screen-payment/screener.token';
import { FRAUD_SETTINGS, type FraudSettings } from './settings';

/** What the routes and answers of this process share. It screens whether or not it leads. */
export function openFraud(runtime: Runtime): OpenContext {
  let settings: FraudSettings | null = null;
  return {
    providers: [
      { provide: SCREENER, useValue: new Screener(runtime) },
      // The worker has settings from the time that the application has started.
      {
        provide: Symbol('fraud settings, read'),
        useFactory: (read: FraudSettings) => (settings = read),
        inject: [FRAUD_SETTINGS],
      },
    ],
    beginTerm() {
      invariant(settings, 'the application starts before its work');
      const workers = [
        new RefreshList(runtime, settings.sanctions_list),
        new ForgetScreenings(runtime),
      ];
      return { workers, end: () => undefined };
    },
  };
}
