import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { checkSanctions } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { Screener } from '../screen-payment/screener';
import { SCREENER } from '../screen-payment/screener.token';

/** Says in any replica whether a wallet is on the list in force; of a live one only by a list that is fresh. */
@Injectable()
export class AnswerCheckSanctions implements OnModuleInit {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SCREENER) private readonly screener: Screener,
  ) {}

  onModuleInit(): void {
    this.runtime.calls.answer(checkSanctions, async ({ wallet }, { mode }) => {
      const { sanctions } = this.screener.memory;
      await sanctions.copy.upToDate();
      if (mode === 'live' && sanctions.age() !== 'fresh') return null;
      return { sanctioned: sanctions.has(wallet) };
    });
  }
}
