import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { sanctionsHealth } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import type { ImportedList, ListAge } from '@tender/fraud-domain';
import { RUNTIME } from '@tender/http';
import { Screener } from '../screen-payment/screener';
import { SCREENER } from '../screen-payment/screener.token';

/** Says in any replica how the list in force stands there: readiness shows it to people. */
@Injectable()
export class AnswerSanctionsHealth implements OnModuleInit {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SCREENER) private readonly screener: Screener,
  ) {}

  onModuleInit(): void {
    this.runtime.calls.answer(sanctionsHealth, async () => {
      const { sanctions } = this.screener.memory;
      await sanctions.copy.upToDate();
      const reason = hindranceOf(sanctions.age(), sanctions.list());
      return { healthy: reason === null, reason };
    });
  }
}

function hindranceOf(age: ListAge, list: ImportedList | null): string | null {
  if (age === 'fresh') return null;
  if (age === 'empty' || list === null) {
    return 'there is no sanctions list: live payments are refused; see SANCTIONS_LIST';
  }
  return (
    `the sanctions list of ${list.issued_on} was last confirmed at ${list.as_of}: it is stale, ` +
    'and live payments are refused; see SANCTIONS_LIST'
  );
}
