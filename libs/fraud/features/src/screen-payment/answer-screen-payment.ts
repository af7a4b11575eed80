import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { screenPayment } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { invariant } from '@tender/kernel';
import { Screener } from './screener';
import { SCREENER } from './screener.token';

/** Answers payments, in any replica. */
@Injectable()
export class AnswerScreenPayment implements OnModuleInit, OnModuleDestroy {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SCREENER) private readonly screener: Screener,
  ) {}

  onModuleInit(): void {
    this.runtime.calls.answer(screenPayment, (request, asked) => {
      const { mode } = asked;
      invariant(mode !== 'all', 'a payment is of one mode');
      return this.screener.screen(request, { ...asked, mode });
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.screener.close();
  }
}
